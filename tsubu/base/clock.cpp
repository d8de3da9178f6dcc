#include "tsubu/base/clock.hpp"

#include <limits>

namespace tsubu {

std::int64_t simulated_now_ns() { return simulated->now_ps() / 1000; }

std::uint64_t simulated_ticks() { return static_cast<std::uint64_t>(simulated->now_ps() / simulated->clock_ps()); }

namespace {

struct reading {
  std::int64_t ns;
  std::uint64_t ticks;
};

// The clock and the counter at one time: the closest of some readings, since a thread may be held up between the two.
reading read_both() {
  reading closest{};
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 5; ++i) {
    const std::int64_t before = now_ns();
    const std::uint64_t counted = ticks();
    const std::int64_t took = now_ns() - before;
    if (took >= least_ns) continue;
    least_ns = took;
    closest = {before + took / 2, counted};
  }
  return closest;
}

// By the time that somebody asks, long enough ago: so a job does not begin with waiting.
const reading at_load = read_both();
constexpr std::int64_t long_enough_ns = 1'000'000;

}  // namespace

double ticks_per_ns() {
  if (simulated != nullptr) return 1e3 / static_cast<double>(simulated->clock_ps());
  static const double rate = [] {
    while (now_ns() - at_load.ns < long_enough_ns) spin_pause();
    const reading now = read_both();
    return static_cast<double>(now.ticks - at_load.ticks) / static_cast<double>(now.ns - at_load.ns);
  }();
  return rate;
}

}  // namespace tsubu
