// Programs that have names, by which C and Fortran start them inside an MPI program: tsubu/mpi.h.
#pragma once

#include <string>

#include "tsubu/run/run.hpp"

namespace tsubu::mpi {

// Gives a program its name, before main():
//
//   const tsubu::mpi::named_program adds_up_by_name("adds_up", adds_up);
//
// Local; does not block; throws std::bad_alloc. Of a name with two programs, none is run.
class named_program {
 public:
  named_program(std::string name, task<int> (*program)(arguments));
};

}  // namespace tsubu::mpi
