// MPI from a process's first job to the process's end: it cannot begin twice, and a program may run several jobs.
//
// When the process exits, by exit(), quick_exit() or the end of main(), MPI ends, which needs all ranks. So before each
// job, and before the end, the ranks meet: if some go on to another job where others end, all of them know, and none
// waits for ever. A program that has started MPI itself ends it itself, and need not be met at the end.
#pragma once

#include "tsubu/transport/starting.hpp"

namespace tsubu::transport::mpi {

// From now on: whom to tell that MPI begins, has begun and ends.
void watch_start(const mpi_start& by);

// Starts MPI if it does not run yet. Returns the level of threads that it provides, which is perhaps not `level`.
int start_mpi(int level);

// MPI runs: the world that it has.
void tell_start(int ranks, int rank);

// Before a job, of this rank and all the others: how many only want to be told the options' help (as this one, if
// `for_help`), and how many are about to end.
struct ranks_without_job {
  int for_help = 0;
  int at_their_end = 0;
};
ranks_without_job meet_before_job(bool for_help);

// Where ranks are no processes, as in SimGrid's simulation of MPI (TSUBU_MPI_ENDS_WITH_JOB), MPI ends here.
void after_job();

}  // namespace tsubu::transport::mpi
