// MPI_Finalize may never return, where an MPI library waits in it for a rank that does not answer any more. The ranks
// have met before, so nobody needs this process then: after a while it ends without.
#pragma once

#include "tsubu/transport/starting.hpp"

namespace tsubu::run_detail {

struct end_limit {
  int seconds = 0;  // 0: as long as it likes
  int pes_per_rank = 1;
};

// Calls `finalize`, which calls MPI_Finalize. When half of the limit has passed and that has not returned, the standard
// output is written, after three quarters the files of C, and at the limit a line says so, and the process ends with
// the code it has: by _exit(), since the thread that exits is in MPI for good. What would have run after MPI as it
// exits is left out then. A process that is traced waits on.
//
// Before the limit: a launcher may end the other ranks with the first that leaves so, and they are to have written
// theirs by then. Rank 0 leaves before the others.
void end_mpi_in_time(end_limit limit, const transport::mpi_end& how, void (*finalize)());

}  // namespace tsubu::run_detail
