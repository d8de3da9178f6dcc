#include "apps/mp3d/plate.hpp"

#include <cmath>

namespace mp3d::plate {

bool reflect(const vector3& begin, vector3& end, vector3& velocity) {
  const double before = dot(begin - centre, normal), after = dot(end - centre, normal);
  if ((before < 0) == (after < 0)) return false;
  const vector3 hit = begin + before / (before - after) * (end - begin) - centre;
  if (std::abs(dot(hit, along)) > half_length || std::abs(hit.z) > half_breadth) return false;
  end = end - 2 * after * normal;
  velocity = velocity - 2 * dot(velocity, normal) * normal;
  return true;
}

}  // namespace mp3d::plate
