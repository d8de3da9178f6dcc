// The ranks of the job, and communicators of our own among them: the program's MPI traffic, if it has any,
// cannot meet ours.
//
// They are the ranks of MPI's world, unless the job was started inside a program that has an MPI of its own: then they
// are those of a communicator of its, or rather of ours with the same ranks.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "tsubu/transport/mpi/check_mpi.hpp"

namespace tsubu::transport::mpi {

// Null: the job's ranks are the world's. Changes between jobs only.
inline MPI_Comm ranks_inside = MPI_COMM_NULL;

inline bool is_inside() { return ranks_inside != MPI_COMM_NULL; }
inline MPI_Comm job_ranks() { return is_inside() ? ranks_inside : MPI_COMM_WORLD; }

// Collective.
inline MPI_Comm own_communicator() {
  MPI_Comm comm;
  check_mpi(MPI_Comm_dup(job_ranks(), &comm));
  check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  return comm;
}

inline std::size_t world_size() {
  int size = 0;
  check_mpi(MPI_Comm_size(job_ranks(), &size));
  return static_cast<std::size_t>(size);
}

inline int own_rank() {
  int rank = 0;
  check_mpi(MPI_Comm_rank(job_ranks(), &rank));
  return rank;
}

}  // namespace tsubu::transport::mpi
