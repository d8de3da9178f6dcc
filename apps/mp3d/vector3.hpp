// Points and velocities.
#pragma once

namespace mp3d {

struct vector3 {
  double x = 0, y = 0, z = 0;

  friend vector3 operator+(vector3 a, vector3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend vector3 operator-(vector3 a, vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend vector3 operator*(double s, vector3 a) { return {s * a.x, s * a.y, s * a.z}; }
  friend bool operator==(vector3, vector3) = default;
};

inline double dot(vector3 a, vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

}  // namespace mp3d
