#include "apps/mp3d/motion.hpp"

#include "apps/mp3d/plate.hpp"
#include "apps/mp3d/tunnel.hpp"

namespace mp3d {

void move(const gas& of, std::int64_t number, std::int64_t step, molecule& m, counters& counted) {
  const bool was_in_stream = in_stream(m.position);
  vector3 end = m.position + m.velocity;
  if (plate::reflect(m.position, end, m.velocity)) ++counted.plate_hits;
  counted.boundary_hits += reflect_at_walls(end, m.velocity);
  if (end.x >= cells_x || end.x < (was_in_stream ? 0 : -reservoir_depth)) {
    if (was_in_stream) ++counted.left;
    m = of.in_reservoir(number, step);
    return;
  }
  if (!was_in_stream && in_stream(end)) ++counted.entered;
  m.position = end;
}

}  // namespace mp3d
