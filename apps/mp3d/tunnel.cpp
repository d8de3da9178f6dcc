#include "apps/mp3d/tunnel.hpp"

#include <algorithm>

namespace mp3d {
namespace {

int reflect(double& x, double& v, double width) {
  int times = 0;
  for (; x < 0 || x > width; ++times) {
    x = x < 0 ? -x : 2 * width - x;
    v = -v;
  }
  return times;
}

// What lies on the last wall is in the last cell.
std::uint32_t index(double x, int count) {
  return static_cast<std::uint32_t>(std::min(static_cast<int>(x), count - 1));
}

}  // namespace

std::uint32_t cell_of(const vector3& position) {
  return (index(position.x, cells_x) * cells_y + index(position.y, cells_y)) * cells_z + index(position.z, cells_z);
}

int reflect_at_walls(vector3& end, vector3& velocity) {
  return reflect(end.y, velocity.y, cells_y) + reflect(end.z, velocity.z, cells_z);
}

}  // namespace mp3d
