// What the ranks of a job find out of each other before it begins: who shares memory, how the grid lies over the nodes,
// which cores each has.
//
// It takes some ten collectives and as many calls of the system. Inside a program of MPI the same ranks run job after
// job, so the caller's communicator keeps it (inside.hpp), and the segment with it; the next job takes it as it is,
// where all ranks still have it and ask for the same.
#pragma once

#include <sched.h>

#include <cstddef>
#include <memory>

#include "tsubu/transport/mpi/core_share.hpp"
#include "tsubu/transport/mpi/mpi_carrier.hpp"
#include "tsubu/transport/mpi/node.hpp"
#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class findings {
 public:
  // Collective over the ranks of the job, which fit together.
  explicit findings(const launch_settings& asked, int ranks);

  // Whether they are those of a job that asks for this, with the cores that this rank has now.
  bool are_for(const launch_settings& asked) const;

  const node& here() const { return here_; }
  // As asked for, with the grid and the batches that fit the nodes.
  const launch_settings& fitted() const { return settings_; }
  bool oversubscribed() const { return oversubscribed_; }
  bool whole_job_shares() const { return whole_job_shares_; }
  bool nobody_shares() const { return nobody_shares_; }
  const core_share& cores() const { return cores_; }
  const core_binding& binding() const { return binding_; }

 private:
  void fit_to_nodes(int ranks);

  // Constant after construction.
  const launch_settings asked_;
  const mpi_carrying carrying_;
  const node here_;
  launch_settings settings_;
  bool oversubscribed_ = false;
  bool whole_job_shares_ = false;
  bool nobody_shares_ = false;
  core_share cores_;
  core_binding binding_;
  cpu_set_t own_cores_{};
};

// Where the findings of jobs on one communicator are kept from one to the next.
class kept_findings {
 public:
  kept_findings() = default;
  kept_findings(const kept_findings&) = delete;
  kept_findings& operator=(const kept_findings&) = delete;
  ~kept_findings();

  // Those that all ranks have kept for such a job; null: some have not, and now none has. Collective over the job's
  // ranks.
  const findings* for_job(const launch_settings& asked);
  // From now on, unless too many are kept by others. Null: none.
  void keep(std::unique_ptr<findings> found);

 private:
  std::unique_ptr<findings> found_;
};

// Those of the communicator whose job runs; null: nobody keeps any. Changes between jobs only.
inline kept_findings* findings_of_job = nullptr;

}  // namespace tsubu::transport::mpi
