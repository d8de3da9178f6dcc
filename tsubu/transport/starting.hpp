// What somebody above a transport wants to know of how an MPI begins: whether it does, and which world it has then.
#pragma once

namespace tsubu::transport {

struct mpi_start {
  void (*begins)() = nullptr;  // right before MPI_Init
  // MPI runs, as late as it may have been started: the world's size, this process's rank in it, and what the library
  // says of itself. Does not return where that is not the job that was started. Before each job of the process.
  void (*has_begun)(int ranks, int rank, const char* library) = nullptr;
};

// What a plug-in of an MPI exports beside itself, under the name `tsubu_transport_start`: whom to tell from now on.
using watch_mpi_start = void (*)(const mpi_start& by);

}  // namespace tsubu::transport
