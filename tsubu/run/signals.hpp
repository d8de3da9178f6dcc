// A signal that kills the process is told: which PE, which signal, and where, as a stack trace with lines of the
// source. Without this, a job on threads ends without a word.
//
// A signal that the program or a sanitizer handles is left to it. One that an MPI handles, or a library of its, is told
// with the PE, which such a handler does not know, and then left to it. In the handler nothing is called but what is
// safe there (signal-safety(7)); names of functions and lines come from a child process, addr2line, and are left out
// where that is not installed. The process then dies by the same signal, so that a core is written as ever.
#pragma once

namespace tsubu::run_detail {

// What is handled from now on, until the first signal_watch, an MPI handles.
void mpi_may_handle_signals();

// While it lives, this thread may overflow its stack and the handler still has one. The first one of a process sets the
// handlers. Local.
class signal_watch {
 public:
  signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;
  ~signal_watch();

 private:
  char* stack_ = nullptr;  // null: the thread has another one
};

}  // namespace tsubu::run_detail
