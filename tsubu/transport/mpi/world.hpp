// The ranks of the job, and communicators of our own among them: the program's MPI traffic, if it has any,
// cannot meet ours.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "tsubu/transport/mpi/check_mpi.hpp"

namespace tsubu::transport::mpi {

// Collective.
inline MPI_Comm own_communicator() {
  MPI_Comm comm;
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  return comm;
}

inline std::size_t world_size() {
  int size = 0;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size));
  return static_cast<std::size_t>(size);
}

inline int own_rank() {
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  return rank;
}

}  // namespace tsubu::transport::mpi
