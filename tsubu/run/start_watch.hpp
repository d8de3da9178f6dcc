// MPI_Init waits for all ranks of the job, and for ever for one that has ended before it came there: launchers do not
// all ask whether it has. So somebody looks at the clock meanwhile.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace tsubu::run_detail {

// While it lives, its thread waits for `limit`, and then calls `late`, once for each limit that has passed, until it
// goes. A thread of its own, for the one that waits is in a library. Time for which the process was stopped is none.
class start_watch {
 public:
  start_watch(std::chrono::milliseconds limit, std::function<void()> late);
  start_watch(const start_watch&) = delete;
  start_watch& operator=(const start_watch&) = delete;
  ~start_watch();

 private:
  static void* watch(void* of);

  const std::chrono::milliseconds limit_;
  const std::function<void()> late_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;  // under the mutex
  // Not a std::thread, which frees memory when it ends: for that the library of C would give it an arena of its own,
  // 64 MiB of addresses that the process keeps.
  pthread_t thread_{};
};

// Whether a debugger holds this process, which then may stand still for as long as people think.
bool is_traced();

// From here on: MPI_Init may take so many seconds, else the process ends with a line; 0: as long as it likes. A process
// that is traced is not ended.
void watch_mpi_start(int limit_s);
void mpi_has_started();

}  // namespace tsubu::run_detail
