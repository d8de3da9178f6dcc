// What is told of sorted numbers, and the same found by sorting all of them in one place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

using numbers = std::vector<std::uint64_t>;

// Minimum, median, maximum, and the sum of position times value, as far as they lie in this part of the n numbers.
inline numbers figures(const numbers& part, std::uint64_t first, std::uint64_t n) {
  const auto at_position = [&](std::uint64_t p) { return p - first < part.size() ? part[p - first] : 0; };
  std::uint64_t checksum = 0;
  for (std::uint64_t i = 0; i < part.size(); ++i) checksum += (first + i + 1) * part[i];
  return {at_position(0), at_position(n / 2), at_position(n - 1), checksum};
}

inline numbers figures_of_all(std::uint64_t n) {
  numbers all(n);
  for (std::uint64_t i = 0; i < n; ++i) all[i] = splitmix64(i);
  std::sort(all.begin(), all.end());
  return figures(all, 0, n);
}
