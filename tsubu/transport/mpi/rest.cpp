#include "tsubu/transport/mpi/rest.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tsubu/transport/mpi/check_mpi.hpp"

namespace tsubu::transport::mpi {

bool more_ranks_than_cores() {
  MPI_Comm node;
  check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  int ranks = 0;
  check_mpi(MPI_Comm_size(node, &ranks));
  // A launcher may have bound each rank to a core of its own: what counts is all their cores together.
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, node));
  check_mpi(MPI_Comm_free(&node));
  return ranks > CPU_COUNT(&cores);
}

void rest::once(std::int64_t limit_us) {
  ++rests_;
  if (rests_ <= yields_) {
    sched_yield();
    return;
  }
  const int doublings = std::min(rests_ - yields_ - 1, 10);
  const std::int64_t nap_us = std::min<std::int64_t>(first_nap_us << doublings, longest_nap_us);
  std::this_thread::sleep_for(std::chrono::microseconds(std::min(nap_us, limit_us)));
  rests_ = std::min(rests_, yields_ + 10);
}

}  // namespace tsubu::transport::mpi
