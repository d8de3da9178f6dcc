// How an MPI carries the messages between ranks that share no memory.
#pragma once

#include <cstdint>

namespace tsubu::transport {

enum class mpi_carrying : std::uint8_t {
  by_messages,  // sends and receives
  by_windows    // puts into windows: one-sided communication
};

// What a plug-in of an MPI exports beside itself, under the name `tsubu_transport_carrying`: chooses for the next job,
// on every rank alike.
using choose_mpi_carrying = void (*)(mpi_carrying way);

}  // namespace tsubu::transport
