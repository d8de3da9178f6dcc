// The wind tunnel: a box of unit cells with walls on four sides. Gas enters at x = 0 out of a reservoir, and leaves
// where it comes to x = 14, or back to x = 0.
//
// The box is that of the geometry `test.geom` of SPLASH's MP3D.
#pragma once

#include <cstdint>

#include "apps/mp3d/vector3.hpp"

namespace mp3d {

inline constexpr int cells_x = 14, cells_y = 24, cells_z = 7;
inline constexpr std::uint32_t cells = cells_x * cells_y * cells_z;
// How far the reservoir reaches upstream; it is as wide and as high as the box.
inline constexpr double reservoir_depth = 2;

// Whether a molecule that has not left is in the box; else it is in the reservoir.
inline bool in_stream(const vector3& position) { return position.x >= 0; }

// The position is in the box.
std::uint32_t cell_of(const vector3& position);

// Reflects a path that ends outside the walls, as in a mirror. Returns how often.
int reflect_at_walls(vector3& end, vector3& velocity);

}  // namespace mp3d
