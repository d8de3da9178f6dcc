// The ranks of this node, as the launcher knows them, and the memory that they share.
//
// MPI says which ranks are on one node. One of them makes a segment (segment.hpp), the others open it. Where that
// cannot be, for lack of permission or since the ranks are threads of one process, they share nothing, all of them, and
// their messages go through MPI.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/shared/segment.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class node {
 public:
  // Collective over all ranks of the job. Says why, if ranks that wanted to share memory cannot.
  explicit node(const launch_settings& settings);
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  // The ranks that share memory, ascending; this one alone if none does.
  const std::vector<int>& sharers() const { return sharers_; }

  // The PEs of those ranks.
  std::unique_ptr<shared_group> make_group(group_facts facts) const;

  // What one rank does between two jobs with the memory that they share, which nobody else touches then: the next
  // group finds it as the first did.
  void prepare_again() const;
  // After a job: what its messages have taken of that memory, but for a little, is the system's again.
  void give_back_memory_of(const shared_group& ended) const;

 private:
  struct process_facts;

  void share(MPI_Comm comm, const launch_settings& settings);
  std::size_t bytes_to_share(const std::vector<process_facts>& members) const;
  // "", or what the system has refused to one of the ranks.
  std::string map_segment(MPI_Comm comm, std::size_t bytes);
  static bool can_copy(MPI_Comm comm, const std::vector<process_facts>& members);

  // Constant after construction.
  const int pes_per_rank_;
  std::vector<int> sharers_;
  std::optional<segment> segment_;
  bool fences_ = false;  // all have said can_fence_all_threads()
  group_processes processes_;
};

}  // namespace tsubu::transport::mpi
