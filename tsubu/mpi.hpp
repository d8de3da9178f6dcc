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

#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/run/inside.hpp"
#include "tsubu/run/named_program.hpp"
#include "tsubu/run/run.hpp"

namespace tsubu::mpi {

namespace detail {

inline run_detail::mpi_caller caller_on(MPI_Comm comm) {
#if defined(OPEN_MPI)
  constexpr const char* name = "openmpi";
#elif defined(MPI_H_ABI)
  constexpr const char* name = "mpi_abi";
#elif defined(MPICH_VERSION) || defined(MPICH_NAME) || defined(I_MPI_VERSION)
  constexpr const char* name = "mpich";
#else
#error \
    "Tsubu has plug-ins for Open MPI, for MPICH and those of its interface, and for the standard ABI; this mpi.h is of none"
#endif
  int begun = 0;
  MPI_Initialized(&begun);
#if defined(MPI_H_ABI)
  return {name, begun != 0 ? reinterpret_cast<std::intptr_t>(comm) : 0};
#else
  return {name, begun != 0 ? static_cast<std::intptr_t>(MPI_Comm_c2f(comm)) : 0};
#endif
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

// A job on the ranks of `comm` that goes on between runs: what its PEs keep, objects, containers, shared variables and
// pe_local ones, is there for the next run, until the session ends. Its PEs run nothing while the program does other
// things. `words` are Tsubu's options; each run has arguments of its own. One at a time, and no other job meanwhile;
// it ends before MPI_Finalize() and before `comm` is freed.
//
// A run whose tasks wait for ever ends the session, and its later runs return that code, as they do what the session
// could not begin for.
// Local; each call blocks until all ranks have made it; what is wrong is a line and a code.
class session {
 public:
  // Collective over the ranks of `comm`; blocks until all have come; what is wrong is a line, and the code of its
  // runs.
  explicit session(MPI_Comm comm, const std::vector<std::string>& words = {})
      : inside_(detail::caller_on(comm), words) {}

  // Runs `program` on PE 0; the others answer messages. All that it caused has run when this returns.
  // Collective; blocks until the run is over everywhere; returns the code that the program returned, on all ranks; 2
  // for a session that has ended.
  int run(task<int> (*program)(arguments), const std::vector<std::string>& words = {}) {
    return inside_.run(program, words, false);
  }
  // Runs `program` on every PE. The code is the largest that one returned.
  // Collective; blocks until the run is over everywhere; returns that code, on all ranks; 2 for a session that has
  // ended.
  int run_spmd(task<int> (*program)(arguments), const std::vector<std::string>& words = {}) {
    return inside_.run(program, words, true);
  }
  // What the PEs keep is destroyed. The destructor does the same.
  // Collective; blocks until all have ended; returns 0, or what the session could not begin for, or what ended it.
  int end() { return inside_.end(); }

 private:
  run_detail::inside_session inside_;
};

}  // namespace tsubu::mpi
