// A wave on a plate, and a step of the heat equation for one row.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

inline constexpr int steps = 1000;
using row = std::vector<double>;

inline double wave(std::size_t i, std::size_t n) {
  return std::cos(std::numbers::pi * static_cast<double>(2 * i + 1) / static_cast<double>(n));
}

// What a step leaves of it, to the power of all steps.
inline double left_of_wave(std::size_t n) {
  return std::pow(0.5 + 0.5 * std::cos(2 * std::numbers::pi / static_cast<double>(n)), steps);
}

inline row next_row(const row& up, const row& here_now, const row& down) {
  const std::size_t n = here_now.size();
  row next(n);
  for (std::size_t c = 0; c < n; ++c) {
    const double left = here_now[c > 0 ? c - 1 : c], right = here_now[c + 1 < n ? c + 1 : c];
    next[c] = 0.5 * here_now[c] + 0.125 * (up[c] + down[c] + left + right);
  }
  return next;
}
