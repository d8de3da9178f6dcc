// Times, sizes and rates for people: three digits that count, and a unit.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>

namespace tsubu::command {

inline std::string scaled(double x, std::span<const char* const> units) {
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && x >= 999.5; ++unit) x /= 1000;
  return fmt::format("{:.{}f} {}", x, x < 9.995 ? 2 : (x < 99.95 ? 1 : 0), units[unit]);
}

inline std::string duration(double ps) {
  constexpr const char* units[] = {"ps", "ns", "us", "ms", "s"};
  return scaled(ps, units);
}

inline std::string bytes(double n) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  return n < 1000 ? fmt::format("{:.0f} B", n) : scaled(n, units);
}

inline std::string bandwidth(double bytes_per_s) {
  constexpr const char* units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  return scaled(bytes_per_s, units);
}

}  // namespace tsubu::command
