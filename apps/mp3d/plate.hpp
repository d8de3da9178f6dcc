// The obstacle in the tunnel: a flat rectangle without thickness, at 30 degrees to the stream. Molecules are reflected
// as in a mirror, on both sides.
#pragma once

#include <numbers>

#include "apps/mp3d/vector3.hpp"

namespace mp3d::plate {

inline constexpr vector3 centre = {6, 12, 3.5};
inline constexpr double cosine = std::numbers::sqrt3 / 2, sine = 0.5;  // of the angle
inline constexpr vector3 along = {cosine, sine, 0};                    // in the plate, with the stream
inline constexpr vector3 normal = {-sine, cosine, 0};                  // away from the side that meets the stream
// More than a cell is left to each wall, and a molecule seldom moves so far in a step: so a step need not look
// whether a wall sends a molecule to the plate.
inline constexpr double half_length = 3;   // along
inline constexpr double half_breadth = 2;  // in z

// Reflects a path that goes through the plate. Returns whether it does.
bool reflect(const vector3& begin, vector3& end, vector3& velocity);

}  // namespace mp3d::plate
