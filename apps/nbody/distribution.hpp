// Where bodies are at the start. A body follows from the seed and its number, so it is the same for every number of
// PEs.
#pragma once

#include <cstdint>

#include "apps/nbody/body.hpp"

namespace nbody {

enum class distribution {
  uniform,  // in the unit cube, at rest
  plummer,  // Plummer's sphere in equilibrium: total mass 1, energy -1/4, cut off at 16 radii of its core
};

// The body with that number, of `bodies` bodies of equal mass, total mass 1.
body make_body(distribution kind, std::int64_t bodies, std::uint64_t seed, std::int64_t number);

}  // namespace nbody
