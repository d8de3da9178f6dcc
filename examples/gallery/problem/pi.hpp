// Points in a square, by index, and whether each lies in the quarter of the circle.
#pragma once

#include <cstdint>

#include "examples/gallery/problem/splitmix64.hpp"

// In integers, so that every machine finds the same points inside.
inline bool is_inside(long index) {
  const std::uint64_t random = splitmix64(index), x = random >> 32, y = random & 0xffff'ffff;
  return (x * x >> 1) + (y * y >> 1) < std::uint64_t{1} << 63;
}
