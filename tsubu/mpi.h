/* Jobs of Tsubu inside an MPI program that is written in C, as tsubu/mpi.hpp has them for C++. Programs are C++, and
 * are started by the names that mpi::named_program gives them:
 *
 *   hand_over(values, n);                                     // a function of your own, where the C++ is
 *   int code = tsubu_mpi_run_spmd(comm, "adds_up", "--factor 2");
 *
 * From Fortran tsubu_run_named() is called with the communicator's own number: docs/mpi.md has its interface. */
#pragma once

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the program of that name: on PE 0, or, if everywhere is not 0, on every PE. `communicator` is as MPI_Comm_c2f()
 * gives it, and `words`, the arguments and Tsubu's options, are apart by blanks. Which MPI it is, is asked of the
 * library that the program is linked to. Collective; over the ranks of the communicator, blocks until the job has
 * ended; returns its exit code, the same on all ranks; 2 and a line if a rank has no program of that name, or two; 69
 * and a line if there is no plug-in for its MPI. */
int tsubu_run_named(int communicator, const char* program, const char* words, int everywhere);

/* The same for the standard ABI, whose communicators are told by their handles; null before MPI has begun.
 * Collective; as tsubu_run_named(). */
int tsubu_run_named_on(const void* communicator, const char* program, const char* words, int everywhere);

#ifdef MPI_H_ABI
static inline int tsubu_run_named_in(MPI_Comm comm, const char* program, const char* words, int everywhere) {
  int begun = 0;
  MPI_Initialized(&begun);
  return tsubu_run_named_on(begun != 0 ? (const void*)comm : 0, program, words, everywhere);
}
#else
/* 0, which is no communicator, before MPI has begun. */
static inline int tsubu_communicator(MPI_Comm comm) {
  int begun = 0;
  MPI_Initialized(&begun);
  return begun != 0 ? (int)MPI_Comm_c2f(comm) : 0;
}

static inline int tsubu_run_named_in(MPI_Comm comm, const char* program, const char* words, int everywhere) {
  return tsubu_run_named(tsubu_communicator(comm), program, words, everywhere);
}
#endif

/* Runs it on PE 0; the others answer messages.
 * Collective; as tsubu_run_named(). */
static inline int tsubu_mpi_run(MPI_Comm comm, const char* program, const char* words) {
  return tsubu_run_named_in(comm, program, words, 0);
}

/* Runs it on every PE. The exit code is the largest that one returned.
 * Collective; as tsubu_run_named(). */
static inline int tsubu_mpi_run_spmd(MPI_Comm comm, const char* program, const char* words) {
  return tsubu_run_named_in(comm, program, words, 1);
}

#ifdef __cplusplus
}
#endif
