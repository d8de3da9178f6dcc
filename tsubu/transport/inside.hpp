// A job inside a program that has started MPI itself: on which communicator, and what the ranks agree about before it.
#pragma once

#include <cstdint>
#include <span>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

struct inside_job {
  std::intptr_t communicator;         // the caller's, as MPI_Comm_c2f() gives it; of the standard ABI its handle
  std::span<std::uint32_t> greatest;  // this rank's values, and then of each the greatest that a rank has
};

// What a plug-in of an MPI exports beside itself, under the name `tsubu_transport_inside`. The next job's ranks are
// those of the communicator, until end() is called. Collective over it, except for trouble that each rank sees: then it
// says what that is, and there is nothing to end.
struct inside_mpi {
  const char* (*begin)(const inside_job& job);  // null: it has begun
  void (*end)();
};

// What such a plug-in exports under the name `tsubu_transport_held`: the end of this rank's only PE, for a job that
// goes on while the program does other things. Between begin() and end() of inside_mpi. Collective.
struct held_end {
  transport* (*open)(const launch_settings& settings, int* code);  // null: the ranks begin no job, and that is the code
  void (*close)();                                                 // behind the end's own close()
};

}  // namespace tsubu::transport
