// A body, and points in space.
#pragma once

#include <cstdint>

namespace nbody {

struct point {
  double x = 0, y = 0, z = 0;

  friend point operator+(point a, point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend point operator-(point a, point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend point operator*(double s, point a) { return {s * a.x, s * a.y, s * a.z}; }
  friend bool operator==(point, point) = default;
};

inline double dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// What bodies do to a point, for G = 1.
struct pull {
  point acceleration;
  double potential = 0;  // of a unit mass there

  pull& operator+=(const pull& other) {
    acceleration = acceleration + other.acceleration;
    potential += other.potential;
    return *this;
  }
};

struct body {
  point position;
  point velocity;
  double mass = 0;
  pull felt;                // where it was when forces were last found
  std::uint64_t key = 0;    // of its place in space, see octree.hpp
  std::int64_t number = 0;  // its name; never changes
};

}  // namespace nbody
