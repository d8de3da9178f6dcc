// Where a PE with nothing to do sleeps until another PE wakes it.
//
// The sleeper raises `parked`, looks once more for work, and only then sleeps; a waker publishes its
// work first and looks at `parked` after. If neither's two steps are reordered, one of them sees the
// other, and no wake-up is lost. Keeping the waker's in order would take a fence for each batch that is
// sent, which waits for all of its stores; so the sleeper, which is in no hurry, has the system put
// that fence into every thread that may be a waker (membarrier(2)). Where the system cannot, wakers fence.
//
// A bed lies in memory that its wakers share, which may be of several processes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "tsubu/transport/shared/futex.hpp"

namespace tsubu::transport {

// Whether the system can put a fence into all threads of this process, or of all processes that have asked this. Asked
// in each process before its threads start; the same answer for all of a machine.
bool can_fence_all_threads(reach wakers);

// As if each of those threads executed a fence now. Only if can_fence_all_threads().
void fence_all_threads(reach wakers);

class parking {
 public:
  // `fences`: can_fence_all_threads(), in each process of the wakers.
  explicit parking(reach wakers = reach::process) : parking(wakers, can_fence_all_threads(wakers)) {}
  parking(reach wakers, bool fences) : wakers_(wakers), fences_(fences) {}

  // Sleeper. `has_work` is asked after `parked` is raised. May return early.
  template <class HasWork>
  void sleep(std::chrono::microseconds at_most, HasWork has_work) {
    parked_.store(1, std::memory_order_seq_cst);
    if (fences_) fence_all_threads(wakers_);
    if (!has_work()) futex_wait(parked_, 1, at_most, wakers_);
    parked_.store(0, std::memory_order_relaxed);
  }

  // Waker, after its work is published. One load when nobody sleeps; false then.
  bool wake() {
    std::atomic_signal_fence(
        std::memory_order_seq_cst);  // the compiler keeps the order; the sleeper's fence does the rest
    if (!fences_) [[unlikely]]
      std::atomic_thread_fence(std::memory_order_seq_cst);
    if (parked_.load(std::memory_order_relaxed) == 0) [[likely]]
      return false;
    return wake_sleeper();
  }

 private:
  // One of several wakers calls the system.
  bool wake_sleeper();

  const reach wakers_;
  const bool fences_;
  std::atomic<std::uint32_t> parked_{0};
};

}  // namespace tsubu::transport
