#include "tsubu/transport/mpi/findings.hpp"

#include <mpi.h>

#include <tuple>
#include <utility>

#include "tsubu/transport/mpi/backoff.hpp"
#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/row.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {
namespace {

// Each keeps addresses for a node's memory, and a rank has not for many of those.
constexpr int most_kept = 8;
constinit int kept_now = 0;  // by the communicators of this process

// Names each of them, so that a new one is not left out.
auto all_of(const launch_settings& s) {
  const auto& [pes, pes_per_rank, threads, batch, memory, hops, row, bind, slice, share, pretended, takes_part] = s;
  return std::make_tuple(pes, pes_per_rank, threads, batch, memory, hops, row, bind, slice, share, pretended,
                         takes_part);
}

cpu_set_t cores_now() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  return cores;
}

launch_settings with_batches(launch_settings settings, int ranks) {
  settings.batch_bytes = settings.batch_bytes_for(ranks * settings.pes_per_rank);
  return settings;
}

}  // namespace

findings::findings(const launch_settings& asked, int ranks)
    : asked_(asked),
      carrying_(chosen_carrying()),
      here_(with_batches(asked, ranks)),
      settings_(asked),
      binding_(0),
      own_cores_(cores_now()) {
  fit_to_nodes(ranks);
  oversubscribed_ = more_pes_than_cores(asked.pes_per_rank);
  int sharers = static_cast<int>(here_.sharers().size());
  whole_job_shares_ = sharers == ranks;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &sharers, 1, MPI_INT, MPI_MAX, job_ranks()));
  nobody_shares_ = !whole_job_shares_ && sharers == 1 && asked.pes_per_rank == 1;
  if (asked.pes_per_rank == 1) return;
  cores_ = share_of_cores(asked.pes_per_rank);
  binding_ = core_binding(asked.bind ? cores_.pes : 0);
}

// The grid follows the nodes, and with it the usual size of batches.
void findings::fit_to_nodes(int ranks) {
  const row_seen seen = row_seen_by(own_rank(), here_.sharers(), ranks, asked_.pes_per_rank);
  int least[2] = {seen.block, -seen.stride};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT, MPI_MIN, job_ranks()));
  const int pes = ranks * asked_.pes_per_rank;
  settings_.row = row_of({.block = least[0], .stride = -least[1]}, pes);
  settings_.batch_bytes = settings_.batch_bytes_for(pes);
}

bool findings::are_for(const launch_settings& asked) const {
  const cpu_set_t now = cores_now();
  return all_of(asked) == all_of(asked_) && carrying_ == chosen_carrying() && CPU_EQUAL(&now, &own_cores_) != 0;
}

const findings* kept_findings::for_job(const launch_settings& asked) {
  int all = found_ != nullptr && found_->are_for(asked) ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, job_ranks()));
  if (all == 0) keep(nullptr);
  return found_.get();
}

void kept_findings::keep(std::unique_ptr<findings> found) {
  kept_now -= found_ != nullptr ? 1 : 0;
  found_ = kept_now < most_kept ? std::move(found) : nullptr;
  kept_now += found_ != nullptr ? 1 : 0;
}

kept_findings::~kept_findings() { keep(nullptr); }

}  // namespace tsubu::transport::mpi
