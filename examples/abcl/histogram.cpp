#include "histogram.hpp"

#include <algorithm>
#include <numeric>

#include "tsubu/base/random.hpp"

namespace histogram {

std::int64_t scattered(std::int64_t n) {
  tsubu::random_source chance(static_cast<std::uint64_t>(n));
  return static_cast<std::int64_t>(chance() >> 1);
}

std::int64_t bins::total() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

std::tuple<std::int64_t, std::int64_t> bins::fullest() const {
  const auto most = std::max_element(counts_.begin(), counts_.end());
  return {most - counts_.begin(), *most};
}

}  // namespace histogram
