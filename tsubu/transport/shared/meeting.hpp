// A barrier for threads that share memory, of one process or of several: std::barrier is for one process only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/transport/shared/futex.hpp"

namespace tsubu::transport {

class meeting {
 public:
  meeting(std::uint32_t count, reach sharers) : count_(count), sharers_(sharers) {}

  // Returns when all have called it, any number of times. Looks so often for the others before it sleeps.
  void arrive_and_wait(int looks = 0) {
    const std::uint32_t round = arrive();
    for (; looks > 0 && !is_over(round); --looks) continue;
    while (!is_over(round)) wait(round, std::chrono::hours(1));
  }

  // The same in steps, for a thread that has something to do meanwhile: it arrives, once in each round, and looks
  // whether all have. wait() may return early.
  std::uint32_t arrive() {
    const std::uint32_t round =
        round_.load(std::memory_order_relaxed);  // it goes on only when this thread has come, too
    sanitizer::releases(&arrived_);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
      arrived_.store(0, std::memory_order_relaxed);
      // Who sleeps has said so before the system compared the round for it.
      round_.store(round + 1, std::memory_order_seq_cst);
      if (sleepers_.load(std::memory_order_seq_cst) != 0) futex_wake_all(round_, sharers_);
    }
    return round;
  }
  bool is_over(std::uint32_t round) const {
    if (round_.load(std::memory_order_acquire) == round) return false;
    sanitizer::acquired(&arrived_);
    return true;
  }
  void wait(std::uint32_t round, std::chrono::microseconds at_most) {
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    futex_wait(round_, round, at_most, sharers_);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  const std::uint32_t count_;
  const reach sharers_;
  std::atomic<std::uint32_t> arrived_{0};
  std::atomic<std::uint32_t> round_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace tsubu::transport
