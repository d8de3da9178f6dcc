// What is counted, and how exactly collisions keep momentum and energy. None of it depends on the order in which it is
// gathered, so all is the same for every number of PEs.
#pragma once

#include <cmath>
#include <cstdint>

namespace mp3d {

// One that is no number is the worst, and stays.
inline double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

struct counters {
  std::int64_t collisions = 0;
  std::int64_t boundary_hits = 0;  // reflections at the four walls
  std::int64_t plate_hits = 0;
  std::int64_t entered = 0;  // the box, from the reservoir
  std::int64_t left = 0;     // the box, at either end

  // In ratio to what the two molecules had; the worst of all collisions.
  double momentum_error = 0;
  double energy_error = 0;

  counters& operator+=(const counters& other) {
    collisions += other.collisions;
    boundary_hits += other.boundary_hits;
    plate_hits += other.plate_hits;
    entered += other.entered;
    left += other.left;
    momentum_error = worse(momentum_error, other.momentum_error);
    energy_error = worse(energy_error, other.energy_error);
    return *this;
  }
  friend counters operator+(counters a, const counters& b) { return a += b; }
  friend bool operator==(const counters&, const counters&) = default;
};

}  // namespace mp3d
