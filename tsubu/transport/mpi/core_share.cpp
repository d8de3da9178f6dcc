#include "tsubu/transport/mpi/core_share.hpp"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {

namespace {

// Open MPI binds each of up to two ranks to a single core unless it is told otherwise.
void warn_of_few_cores(const cpu_set_t& own, int pes) {
  const int cores = CPU_COUNT(&own);
  const int all = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (own_rank() != 0 || cores >= std::min(pes, all)) return;
  std::fprintf(
      stderr,
      "tsubu: the launcher has bound this rank of %d PEs to %d of %d cores: they take turns there; start it with "
      "mpirun --bind-to none, or bind each rank to %d cores\n",
      pes, cores, all, pes);
}

}  // namespace

core_share share_of_cores(int pes_per_rank) {
  MPI_Comm node;
  check_mpi(MPI_Comm_split_type(job_ranks(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  int ranks = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(node, &ranks));
  check_mpi(MPI_Comm_rank(node, &rank));
  cpu_set_t own;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  warn_of_few_cores(own, pes_per_rank);
  std::vector<cpu_set_t> of_ranks(static_cast<std::size_t>(ranks));
  check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, of_ranks.data(), sizeof own, MPI_BYTE, node));
  check_mpi(MPI_Comm_free(&node));

  bool all_same = true;
  bool all_apart = true;
  for (int other = 0; other < ranks; ++other) {
    if (other == rank) continue;
    const cpu_set_t& theirs = of_ranks[static_cast<std::size_t>(other)];
    cpu_set_t both;
    CPU_AND(&both, &own, &theirs);
    all_same = all_same && CPU_EQUAL(&own, &theirs);
    all_apart = all_apart && CPU_COUNT(&both) == 0;
  }
  if (all_apart) return {0, pes_per_rank};
  if (all_same) return {rank * pes_per_rank, ranks * pes_per_rank};
  return {};
}

}  // namespace tsubu::transport::mpi
