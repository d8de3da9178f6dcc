#include "apps/mp3d/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/program/random_stream.hpp"

namespace mp3d {

tsubu::random_source draw(std::uint64_t seed, purpose what, std::int64_t number, std::int64_t step) {
  std::uint64_t state = program::mixed(seed);
  state = program::mixed(state + static_cast<std::uint64_t>(what));
  state = program::mixed(state + static_cast<std::uint64_t>(number));
  return tsubu::random_source(program::mixed(state + static_cast<std::uint64_t>(step)));
}

double uniform(tsubu::random_source& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Box and Muller 1958: each pair of uniform numbers gives two normal ones; the fourth is left.
vector3 normal(tsubu::random_source& random) {
  const double r1 = std::sqrt(-2 * std::log(1 - uniform(random))), angle1 = 2 * std::numbers::pi * uniform(random);
  const double r2 = std::sqrt(-2 * std::log(1 - uniform(random))), angle2 = 2 * std::numbers::pi * uniform(random);
  return {r1 * std::cos(angle1), r1 * std::sin(angle1), r2 * std::cos(angle2)};
}

vector3 direction(tsubu::random_source& random) {
  const double z = 2 * uniform(random) - 1, angle = 2 * std::numbers::pi * uniform(random);
  const double across = std::sqrt(std::max(0.0, 1 - z * z));
  return {across * std::cos(angle), across * std::sin(angle), z};
}

}  // namespace mp3d
