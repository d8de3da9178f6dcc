// A job inside a program that has started MPI itself: what tsubu/mpi.hpp, which is compiled with that MPI, asks for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tsubu/run/run.hpp"

namespace tsubu::run_detail {

struct mpi_caller {
  const char* mpi;             // its plug-in's name
  std::intptr_t communicator;  // as MPI_Comm_c2f() gives it; of the standard ABI its handle
};

// Collective over the communicator. Returns the job's exit code; what is wrong before the job begins is a line and a
// code, too. A null program is one that a line has said to be wrong.
int run_inside(const mpi_caller& caller, task<int> (*program)(arguments), const std::vector<std::string>& words,
               bool everywhere);

// A job that goes on between runs: its PEs, and all they keep, stay until it ends. The PEs run while the caller is in
// one of these calls, each collective over the communicator. A process has one at a time, and no other job meanwhile.
class inside_session {
 public:
  inside_session(const mpi_caller& caller, const std::vector<std::string>& words);
  inside_session(const inside_session&) = delete;
  inside_session& operator=(const inside_session&) = delete;
  ~inside_session();

  // Returns what run() does. 2 where it has not begun, or has ended.
  int run(task<int> (*program)(arguments), const std::vector<std::string>& words, bool everywhere);
  // Returns 0, or what it could not begin for, or what has ended it before.
  int end();

 private:
  struct held;
  std::unique_ptr<held> held_;  // null: it has not begun, or has ended
  int code_ = 0;
};

}  // namespace tsubu::run_detail
