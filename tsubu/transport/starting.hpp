// What somebody above a transport wants to know of how an MPI begins and ends: whether it does, and which world it has
// then.
#pragma once

#include <optional>

namespace tsubu::transport {

// How a process exits that is about to end MPI.
struct mpi_end {
  std::optional<int> code;  // nothing: quick_exit() does not tell it
  int rank = 0;
  const char* library = "";  // what it says of itself
  // Ends this process, though MPI has not, when its launcher has read what it has printed. Null: as _exit() does.
  void (*leave)(int code) = nullptr;
};

struct mpi_start {
  void (*begins)() = nullptr;  // right before MPI_Init
  // MPI runs, as late as it may have been started: the world's size, this process's rank in it, and what the library
  // says of itself. Does not return where that is not the job that was started. Before each job of the process.
  void (*has_begun)(int ranks, int rank, const char* library) = nullptr;
  // All ranks have come to their ends: calls `finalize`, which calls MPI_Finalize. Perhaps it never returns.
  void (*ends)(const mpi_end& how, void (*finalize)()) = nullptr;
};

// What a plug-in of an MPI exports beside itself, under the name `tsubu_transport_start`: whom to tell from now on.
using watch_mpi_start = void (*)(const mpi_start& by);

}  // namespace tsubu::transport
