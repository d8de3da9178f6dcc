#include "apps/mp3d/gas.hpp"

#include <numbers>

#include "apps/mp3d/random.hpp"
#include "apps/mp3d/tunnel.hpp"

namespace mp3d {
namespace {

// Somewhere in the tunnel's width and height, and from the reservoir's far end on for `depth`.
molecule somewhere(tsubu::random_source random, double depth) {
  molecule m;
  m.position.x = depth * uniform(random) - reservoir_depth;
  m.position.y = cells_y * uniform(random);
  m.position.z = cells_z * uniform(random);
  m.velocity = vector3{stream_speed, 0, 0} + thermal_speed * normal(random);
  return m;
}

}  // namespace

// The mean free path of hard spheres is 1 / (sqrt(2) n sigma).
gas::gas(std::int64_t how_many, std::uint64_t with_seed)
    : molecules(how_many),
      seed(with_seed),
      cross_section((reservoir_depth + cells_x) * cells_y * cells_z /
                    (std::numbers::sqrt2 * static_cast<double>(how_many) * mean_free_path)) {}

molecule gas::at_beginning(std::int64_t number) const {
  return somewhere(draw(seed, purpose::beginning, number, 0), reservoir_depth + cells_x);
}

molecule gas::in_reservoir(std::int64_t number, std::int64_t step) const {
  return somewhere(draw(seed, purpose::reservoir, number, step), reservoir_depth);
}

}  // namespace mp3d
