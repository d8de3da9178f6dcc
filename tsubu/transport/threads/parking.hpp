// Where a PE with nothing to do sleeps until another PE wakes it.
//
// The sleeper raises `parked`, looks once more for work, and only then sleeps; a waker publishes its
// work first and looks at `parked` after. All four steps are sequentially consistent, so one of the
// two sees the other, and no wake-up is lost.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tsubu::transport {

class parking {
 public:
  // Sleeper. `has_work` is asked after `parked` is raised.
  template <class HasWork>
  void sleep(std::chrono::microseconds at_most, HasWork has_work) {
    parked_.store(true, std::memory_order_seq_cst);
    if (!has_work()) {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, at_most, [this] { return !parked_.load(std::memory_order_relaxed); });
    }
    parked_.store(false, std::memory_order_relaxed);
  }

  // Waker, after its work is published. One load when nobody sleeps.
  void wake() {
    if (!parked_.load(std::memory_order_seq_cst)) return;
    {
      std::lock_guard lock(mutex_);
      parked_.store(false, std::memory_order_relaxed);
    }
    wake_.notify_one();
  }

 private:
  std::atomic<bool> parked_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace tsubu::transport
