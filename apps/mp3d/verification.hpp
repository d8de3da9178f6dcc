// Whether a run is right.
#pragma once

#include <string>

#include "apps/mp3d/simulation.hpp"

namespace mp3d {

inline constexpr double accepted_error = 1e-12;  // of momentum and energy in a collision, relative

// What is wrong with the run by itself: collisions that did not keep momentum and energy, molecules that are neither in
// the stream nor have left it. Empty: nothing. `began`: the same run before its first step.
std::string trouble_of(const outcome& began, const outcome& ended);

// In what it differs from the run of the sequential program. Empty: in nothing.
std::string difference(const outcome& ended, const outcome& expected);

}  // namespace mp3d
