// The ranks of a job that was started inside a program which has an MPI of its own.
//
// The job's traffic is on a communicator of ours with the ranks of the caller's. It is made for the first job on each
// of the caller's communicators, which keeps it as an attribute until it is freed itself. It is made by a split, which
// copies none of the attributes that others have put there. What the ranks have found out of each other is kept
// there, too (findings.hpp).
#pragma once

#include "tsubu/transport/inside.hpp"

namespace tsubu::transport::mpi {

// As transport::inside_mpi has it.
const char* begin_inside(const inside_job& job);
void end_inside();

}  // namespace tsubu::transport::mpi
