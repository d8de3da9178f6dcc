// Time of one step of something that is done very often on one core.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

namespace bench {

// Runs `round` repetitions + 1 times; each time it does `steps` steps. Returns TSC ticks per step.
template <typename Round>
summary ticks_per_step(std::int64_t repetitions, std::int64_t steps, Round round) {
  std::vector<double> measured;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const std::uint64_t start = tsubu::ticks();
    round();
    const std::uint64_t end = tsubu::ticks();
    if (r > 0) measured.push_back(static_cast<double>(end - start) / static_cast<double>(steps));
  }
  return summarize(measured);
}

// Adds "ticks_per_STEP" and "ns_per_STEP".
inline void add_times(result_line& line, std::string_view step, const summary& ticks) {
  line.add("ticks_per_" + std::string(step), ticks.median);
  line.add("ns_per_" + std::string(step), ticks.median / tsubu::ticks_per_ns());
}

}  // namespace bench
