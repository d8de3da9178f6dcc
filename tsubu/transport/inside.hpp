// A job inside a program that has started MPI itself: on which communicator, and what the ranks agree about before it.
#pragma once

#include <cstdint>
#include <span>

namespace tsubu::transport {

struct inside_job {
  int communicator;                   // the caller's, as MPI_Comm_c2f() gives it
  std::span<std::uint32_t> greatest;  // this rank's values, and then of each the greatest that a rank has
};

// What a plug-in of an MPI exports beside itself, under the name `tsubu_transport_inside`. The next job's ranks are
// those of the communicator, until end() is called. Collective over it, except for trouble that each rank sees: then it
// says what that is, and there is nothing to end.
struct inside_mpi {
  const char* (*begin)(const inside_job& job);  // null: it has begun
  void (*end)();
};

}  // namespace tsubu::transport
