// A window of MPI's one-sided communication, open to all ranks for its lifetime (MPI_Win_lock_all).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace bench {

// T's of each rank, in memory that MPI has allocated for the window.
template <class T>
class rma_window {
 public:
  explicit rma_window(std::size_t count) {
    MPI_Win_allocate(static_cast<MPI_Aint>(count * sizeof(T)), sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &mine_, &win_);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win_);
  }
  ~rma_window() {
    MPI_Win_unlock_all(win_);
    MPI_Win_free(&win_);
  }
  rma_window(const rma_window&) = delete;
  rma_window& operator=(const rma_window&) = delete;

  MPI_Win get() const { return win_; }
  T* mine() const { return mine_; }

  // What this rank has stored into its part is there for the others, and what they have put there is here, after all
  // ranks have called it.
  void exchange() const {
    MPI_Win_sync(win_);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win_);
  }

 private:
  T* mine_ = nullptr;
  MPI_Win win_ = MPI_WIN_NULL;
};

}  // namespace bench
