// Two molecules that have been paired: whether they collide in this step, and how.
//
// They are hard spheres. Pairs are chosen as by Baganoff and McDonald, "A collision-selection rule for a particle
// simulation method suited to vector computers", 1990, which MP3D uses: each molecule has one possible partner in a
// step, and the chance of a pair is so much larger.
#pragma once

#include "apps/mp3d/counters.hpp"
#include "apps/mp3d/gas.hpp"
#include "tsubu/base/random.hpp"

namespace mp3d {

// A molecule in its cell.
struct visitor {
  std::int64_t number;
  vector3 velocity;
};

// The chance that two molecules collide in a step: one pair of the floor(n / 2) in a cell of n molecules.
double chance_of_collision(const gas& of, std::int64_t molecules_in_cell, double relative_speed);

// Into a random direction; momentum and energy stay. How exactly, is counted.
void scatter(tsubu::random_source& random, vector3& a, vector3& b, counters& counted);

// `first` comes before `second` in the order of their cell. Returns whether their velocities have changed.
bool collide(const gas& of, std::int64_t step, std::int64_t molecules_in_cell, visitor& first, visitor& second,
             counters& counted);

}  // namespace mp3d
