// Where a PE with nothing to do sleeps until another PE wakes it.
//
// The sleeper raises `parked`, looks once more for work, and only then sleeps; a waker publishes its
// work first and looks at `parked` after. If neither's two steps are reordered, one of them sees the
// other, and no wake-up is lost. Keeping the waker's in order would take a fence for each batch that is
// sent, which waits for all of its stores; so the sleeper, which is in no hurry, has the system put
// that fence into every thread of the process (membarrier(2)). Where the system cannot, wakers fence.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tsubu::transport {

// Whether the system can put a fence into all threads of this process; asked once, before they start.
bool can_fence_all_threads();

// As if each thread of this process executed a fence now. Only if can_fence_all_threads().
void fence_all_threads();

class parking {
 public:
  // Sleeper. `has_work` is asked after `parked` is raised.
  template <class HasWork>
  void sleep(std::chrono::microseconds at_most, HasWork has_work) {
    parked_.store(true, std::memory_order_seq_cst);
    if (fences_) fence_all_threads();
    if (!has_work()) {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, at_most, [this] { return !parked_.load(std::memory_order_relaxed); });
    }
    parked_.store(false, std::memory_order_relaxed);
  }

  // Waker, after its work is published. One load when nobody sleeps; false then.
  bool wake() {
    std::atomic_signal_fence(
        std::memory_order_seq_cst);  // the compiler keeps the order; the sleeper's fence does the rest
    if (!fences_) [[unlikely]]
      std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!parked_.load(std::memory_order_relaxed)) [[likely]]
      return false;
    {
      std::lock_guard lock(mutex_);
      parked_.store(false, std::memory_order_relaxed);
    }
    wake_.notify_one();
    return true;
  }

 private:
  const bool fences_ = can_fence_all_threads();
  std::atomic<bool> parked_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace tsubu::transport
