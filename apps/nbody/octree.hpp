// Cubes within cubes: where a cell of the octree lies, and the keys that bodies are ordered by.
//
// A key interleaves the bits of three coordinates (Morton, 1966). The bodies of a cell have keys of one range, and the
// ranges of its eight octants follow one another, so a sorted list of bodies has every cell of the tree as a stretch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "apps/nbody/body.hpp"

namespace nbody {

using body_key = std::uint64_t;

// Bodies that are in the same cell of the deepest level are not told apart.
inline constexpr int deepest_level = 21;
inline constexpr body_key past_all_keys = body_key{1} << (3 * deepest_level);

struct cube {
  point low;
  double edge = 1;
};

// The smallest cube from `low` on that has all points up to `high` inside.
inline cube cube_around(point low, point high) {
  const point extent = high - low;
  const double edge = std::max({extent.x, extent.y, extent.z});
  return {low, edge > 0 ? edge : 1};
}

// Every third bit, from bit 0, is one of the 21 low bits of n.
constexpr body_key spread_bits(std::uint64_t n) {
  n &= 0x1fffff;
  n = (n | n << 32) & 0x1f00000000ffff;
  n = (n | n << 16) & 0x1f0000ff0000ff;
  n = (n | n << 8) & 0x100f00f00f00f00f;
  n = (n | n << 4) & 0x10c30c30c30c30c3;
  n = (n | n << 2) & 0x1249249249249249;
  return n;
}

inline body_key key_of(const cube& all, point at) {
  constexpr double steps = 1 << deepest_level;
  const auto step = [&](double x, double low) {
    const double n = (x - low) / all.edge * steps;
    return n > 0 ? static_cast<std::uint64_t>(std::min(n, steps - 1)) : 0;  // 0 for no number, too
  };
  return spread_bits(step(at.x, all.low.x)) | spread_bits(step(at.y, all.low.y)) << 1 |
         spread_bits(step(at.z, all.low.z)) << 2;
}

// A cell by its level, 0 for the cube of all, and its keys [first, end()).
struct place {
  body_key first = 0;
  int level = 0;

  body_key keys() const { return body_key{1} << (3 * (deepest_level - level)); }
  body_key end() const { return first + keys(); }
  place octant(int number) const { return {first + static_cast<body_key>(number) * (keys() / 8), level + 1}; }
  friend bool operator==(place, place) = default;
};

// Which octant of a cell of that level, above the deepest, a key of it belongs to.
inline int octant_of(body_key key, int level) { return static_cast<int>(key >> (3 * (deepest_level - 1 - level)) & 7); }

}  // namespace nbody
