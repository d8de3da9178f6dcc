#include "tsubu/transport/mpi/backoff.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {

bool more_pes_than_cores(int pes_per_rank) {
  MPI_Comm node;
  check_mpi(MPI_Comm_split_type(job_ranks(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  int ranks = 0;
  check_mpi(MPI_Comm_size(node, &ranks));
  // A launcher may have bound each rank to a core of its own: what counts is all their cores together.
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, node));
  check_mpi(MPI_Comm_free(&node));
  return ranks * pes_per_rank > CPU_COUNT(&cores);
}

std::int64_t backoff::next_us() {
  ++rounds_;
  if (rounds_ <= yields_) return 0;
  const int doublings = std::min(rounds_ - yields_ - 1, 10);
  rounds_ = std::min(rounds_, yields_ + 10);
  return std::min<std::int64_t>(first_nap_us << doublings, longest_nap_us);
}

void backoff::once(std::int64_t limit_us) {
  const std::int64_t nap_us = next_us();
  if (nap_us == 0) {
    sched_yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(nap_us, limit_us)));
  }
}

}  // namespace tsubu::transport::mpi
