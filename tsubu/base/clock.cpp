#include "tsubu/base/clock.hpp"

namespace tsubu {

std::int64_t simulated_now_ns() { return simulated->now_ps() / 1000; }

std::uint64_t simulated_ticks() { return static_cast<std::uint64_t>(simulated->now_ps() / simulated->clock_ps()); }

double ticks_per_ns() {
  if (simulated != nullptr) return 1e3 / static_cast<double>(simulated->clock_ps());
  static const double rate = [] {
    const std::int64_t start_ns = now_ns();
    const std::uint64_t start = ticks();
    while (now_ns() - start_ns < 2'000'000) spin_pause();
    const std::uint64_t end = ticks();
    return static_cast<double>(end - start) / static_cast<double>(now_ns() - start_ns);
  }();
  return rate;
}

}  // namespace tsubu
