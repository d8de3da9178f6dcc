// How a job ends of which one rank never begins: its options are wrong, or its plug-in is not there. The others would
// wait for it in MPI_Init for ever.
#pragma once

namespace tsubu::run_detail {

// From now on end_job() and fail() on this thread end the other ranks, too, until a PE begins on it.
void end_other_ranks_too();

}  // namespace tsubu::run_detail
