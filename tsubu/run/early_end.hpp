// How a job ends of which one rank never begins: its options are wrong, its plug-in is not there, or main() gives up
// before it calls run(), by fail() or with an exit code that is not 0. The others would wait for it in MPI_Init for
// ever.
#pragma once

namespace tsubu::run_detail {

// From now on end_job() and fail() on this thread end the other ranks, too, until a PE begins on it.
void end_other_ranks_too();

// This process goes on to the transport, and if that is MPI, its launcher sees how it ends.
void launcher_sees_ends();

}  // namespace tsubu::run_detail
