// Jobs inside a program that has started MPI itself, on a communicator of its own.
//
//   MPI_Init(&argc, &argv);
//   ...
//   const int code = tsubu::mpi::run(comm, program);   // a tsubu::task<int> program(tsubu::arguments)
//   ...
//   MPI_Finalize();
//
// A PE is a rank of the communicator, in its order. The job's messages travel on a communicator of Tsubu's with the
// same ranks, so none of the program's own meets them; its error handlers, signals and rounding modes are left as they
// are. The plug-in is that of the MPI which this header is compiled with. docs/mpi.md says which failures are returned.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "tsubu/run/inside.hpp"
#include "tsubu/run/run.hpp"

namespace tsubu::mpi {

namespace detail {

inline run_detail::mpi_caller caller_on(MPI_Comm comm) {
#if defined(OPEN_MPI)
  constexpr const char* name = "openmpi";
#elif defined(MPICH_VERSION) || defined(MPICH_NAME) || defined(I_MPI_VERSION)
  constexpr const char* name = "mpich";
#else
#error "Tsubu has plug-ins for Open MPI and for MPICH, and those of its interface; this mpi.h is of neither"
#endif
  int begun = 0;
  MPI_Initialized(&begun);
  return {name, begun != 0 ? static_cast<int>(MPI_Comm_c2f(comm)) : 0};
}

}  // namespace detail

// Runs `program` on PE 0; the others answer messages. `words` are its arguments behind its name, Tsubu's options among
// them. Called again and again, on any communicator; not by a PE.
// Collective; over the ranks of `comm`, blocks until the job has ended; returns its exit code, the same on all ranks.
inline int run(MPI_Comm comm, task<int> (*program)(arguments), const std::vector<std::string>& words = {}) {
  return run_detail::run_inside(detail::caller_on(comm), program, words, false);
}

// Runs `program` on every PE. The exit code is the largest that one returned.
// Collective; over the ranks of `comm`, blocks until the job has ended; returns its exit code, the same on all ranks.
inline int run_spmd(MPI_Comm comm, task<int> (*program)(arguments), const std::vector<std::string>& words = {}) {
  return run_detail::run_inside(detail::caller_on(comm), program, words, true);
}

}  // namespace tsubu::mpi
