/* Promise: a program in C runs Tsubu's programs by their names on communicators of its own, ten times, and its own MPI
 * before, between and after them; a name that is none's, or two programs', and a wrong option are codes on all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <tsubu/mpi.h>

#include "tests/inside_mpi/named_programs.h"

#define HOLDS(what)                                                            \
  do {                                                                         \
    if (!(what)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #what); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                            \
    }                                                                          \
  } while (0)

enum { values = 1000 };

static void add_up_on(MPI_Comm comm, int times) {
  double mine[values], sum = 0, expected = 0, here = 0;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < values; ++i) {
    mine[i] = rank + times * i;
    here += mine[i];
  }
  MPI_Allreduce(&here, &expected, 1, MPI_DOUBLE, MPI_SUM, comm);
  hand_over(mine, values, &sum);
  HOLDS(tsubu_mpi_run_spmd(comm, "adds_up", "2") == 0);
  HOLDS(sum == 2 * expected); /* whole numbers, so in any order */
}

int main(int argc, char** argv) {
  MPI_Comm reversed;
  int rank = 0, ranks = 0;
  HOLDS(tsubu_mpi_run(MPI_COMM_WORLD, "adds_up", "") == 2); /* MPI has not begun */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm on[] = {MPI_COMM_WORLD, reversed, MPI_COMM_SELF};
  for (int i = 0; i < 10; ++i) add_up_on(on[i % 3], i);
  HOLDS(tsubu_mpi_run_spmd(reversed, "returns_its_pe", "") == ranks - 1);
  HOLDS(tsubu_mpi_run(reversed, "returns_its_pe", NULL) == 0);
  HOLDS(tsubu_mpi_run(MPI_COMM_WORLD, "nobody", "") == 2);
  HOLDS(tsubu_mpi_run(MPI_COMM_WORLD, rank == 0 ? "twice" : "adds_up", "") == 2);
  HOLDS(tsubu_mpi_run(MPI_COMM_WORLD, "adds_up", "--tsubu-no-such-option") == 2);
  add_up_on(MPI_COMM_WORLD, 3);
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  if (rank == 0) printf("the program and its jobs have ended well\n");
  return 0;
}
