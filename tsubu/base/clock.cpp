#include "tsubu/base/clock.hpp"

namespace tsubu {

double ticks_per_ns() {
  if (simulated != nullptr) return 1e3 / static_cast<double>(simulated->tick_ps);
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
