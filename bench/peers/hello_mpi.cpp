// The least that a program of plain MPI does: it starts, all ranks sum up a one each, and it ends. For what a job's
// start and end take by themselves.
#include <cstdio>

#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

int main(int argc, char** argv) {
  bench::parse_options(argc, argv, "one sum over all MPI ranks", {});
  bench::mpi_job job(argc, argv);
  int counted = 1;
  MPI_Allreduce(MPI_IN_PLACE, &counted, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (job.rank() != 0) return 0;
  bench::result_line line("hello");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("verified", counted == job.ranks());
  line.print();
  return 0;
}
