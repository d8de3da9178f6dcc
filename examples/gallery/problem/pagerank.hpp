// A web: how many links a page has, and where they lead.
#pragma once

#include <cstdint>

#include "examples/gallery/problem/splitmix64.hpp"

using rank_units = std::uint64_t;
inline constexpr rank_units one = rank_units{1} << 32;
inline constexpr int steps = 10;

inline constexpr std::uint64_t most_links = 16;
inline std::uint64_t links_of(std::uint64_t page) { return 1 + splitmix64(page) % most_links; }
// Pages with low numbers are linked to more often.
inline std::uint64_t link(std::uint64_t page, std::uint64_t i, std::uint64_t pages) {
  const std::uint64_t random = splitmix64(~(page * most_links + i));
  return (random >> 32) % pages * (random % pages) / pages;
}
