// How this plug-in ends a job: through MPI_Abort, which takes the other ranks along.
//
// The plug-in has its own check, for it links nothing of the program that loads it.
#pragma once

#include <atomic>
#include <source_location>
#include <string_view>

#include "tsubu/base/types.hpp"

namespace tsubu::transport::mpi {

// Ends the job with `code`. May be called by any thread; the first call decides.
[[noreturn]] void abort_job(int code);

// Ends this process alone with `code`, by no MPI call, when its launcher has read what it has printed.
[[noreturn]] void leave(int code);

// The lock that threads of this process call MPI under; null: there is one thread. abort_job() waits for it, but not
// for long: who holds it may be the one that aborts.
void guard_abort_with(std::atomic<bool>* lock);

// From now on this rank ends with the process of MPICH's launcher that has started it, if one has.
void end_with_proxy();

// Whom fail() names, of the PEs on this thread.
void set_own_pe(pe_id pe);

// Whether this process is a child that a rank has forked: MPI is not its own.
inline constinit bool is_forked_child = false;
void watch_forks();
// Such a child goes on as if it were the rank: it ends, with a line, and the job does not.
[[noreturn, gnu::cold]] void end_forked_child();

// "tsubu: PE 3: <reason> (file:line)", then the end of the job.
[[noreturn]] void fail(std::string_view reason, std::source_location where = std::source_location::current());

// For what a wrong program or a wrong peer may cause; always on.
inline void check(bool holds, const char* reason, std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    fail(reason, where);
}

}  // namespace tsubu::transport::mpi
