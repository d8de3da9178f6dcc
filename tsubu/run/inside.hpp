// A job inside a program that has started MPI itself: what tsubu/mpi.hpp, which is compiled with that MPI, asks for.
#pragma once

#include <string>
#include <vector>

#include "tsubu/run/run.hpp"

namespace tsubu::run_detail {

struct mpi_caller {
  const char* mpi;   // its plug-in's name
  int communicator;  // as MPI_Comm_c2f() gives it
};

// Collective over the communicator. Returns the job's exit code; what is wrong before the job begins is a line and a
// code, too.
int run_inside(const mpi_caller& caller, task<int> (*program)(arguments), const std::vector<std::string>& words,
               bool everywhere);

}  // namespace tsubu::run_detail
