// Random numbers that follow from what they are for, a molecule's number and the step. So they are the same whoever
// draws them, and in whichever order: on any PE, of any number of PEs.
#pragma once

#include <cstdint>

#include "apps/mp3d/vector3.hpp"
#include "tsubu/base/random.hpp"

namespace mp3d {

enum class purpose : std::uint64_t {
  beginning,  // where a molecule is before the first step
  reservoir,  // and where it comes back after it has left
  ticket,     // its place in the order of its cell
  collision,  // whether it collides, and into which direction
};

tsubu::random_source draw(std::uint64_t seed, purpose what, std::int64_t number, std::int64_t step);

// In [0, 1).
double uniform(tsubu::random_source& random);
// Three numbers of the normal distribution with mean 0 and variance 1.
vector3 normal(tsubu::random_source& random);
// All directions alike, length 1.
vector3 direction(tsubu::random_source& random);

}  // namespace mp3d
