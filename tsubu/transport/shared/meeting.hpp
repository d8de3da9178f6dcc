// A barrier for threads that share memory, of one process or of several: std::barrier is for one process only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "tsubu/transport/shared/futex.hpp"

namespace tsubu::transport {

class meeting {
 public:
  meeting(std::uint32_t count, reach sharers) : count_(count), sharers_(sharers) {}

  // Returns when all have called it, any number of times.
  void arrive_and_wait() {
    const std::uint32_t round =
        round_.load(std::memory_order_relaxed);  // it goes on only when this thread has come, too
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      futex_wake_all(round_, sharers_);
      return;
    }
    while (round_.load(std::memory_order_acquire) == round) {
      futex_wait(round_, round, std::chrono::hours(1), sharers_);
    }
  }

 private:
  const std::uint32_t count_;
  const reach sharers_;
  std::atomic<std::uint32_t> arrived_{0};
  std::atomic<std::uint32_t> round_{0};
};

}  // namespace tsubu::transport
