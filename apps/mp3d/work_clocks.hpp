// What the steps of the simulation take on an MC68030 with an MC68882, the processor of ATTEMPT-0 (Yamamoto et al.,
// EULASH), in its clocks: for simulated jobs. All figures are assumed: operations in floating point at some 60 clocks
// each, roots at 100, sines at 400, and half as much again for the rest.
#pragma once

#include <cstddef>

#include "tsubu/base/clock.hpp"

namespace mp3d {

// 20 operations: the next position, the distance to the plate's plane.
inline constexpr double clocks_of_move = 1800;
// 13 operations, a root and a random number: the relative speed, and the chance.
inline constexpr double clocks_of_pair = 1500;
// 30 operations, four roots and two sines: the new velocities.
inline constexpr double clocks_of_collision = 4500;

// Says what a cell's molecules took: so many were in it, and so many of them have collided.
inline void work_of_meeting(std::size_t present, std::size_t changed) {
  const std::size_t pairs = present / 2, collisions = changed / 2;
  tsubu::work(clocks_of_pair * static_cast<double>(pairs) + clocks_of_collision * static_cast<double>(collisions));
}

}  // namespace mp3d
