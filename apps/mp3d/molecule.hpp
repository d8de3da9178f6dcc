// A molecule, and a digest by which two runs tell whether all of theirs are the same to the last bit.
#pragma once

#include <bit>
#include <cstdint>

#include "apps/mp3d/vector3.hpp"
#include "apps/program/random_stream.hpp"

namespace mp3d {

// Lengths are in cells, velocities in cells per step; all molecules have the mass 1.
struct molecule {
  vector3 position;
  vector3 velocity;
};

// The digest of many is the sum of theirs, so it does not depend on who has which.
inline std::uint64_t digest(std::int64_t number, const molecule& m) {
  auto sum = static_cast<std::uint64_t>(number);
  for (const vector3& v : {m.position, m.velocity})
    for (const double d : {v.x, v.y, v.z}) sum = program::mixed(sum ^ std::bit_cast<std::uint64_t>(d));
  return sum;
}

}  // namespace mp3d
