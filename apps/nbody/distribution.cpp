#include "apps/nbody/distribution.hpp"

#include <cmath>
#include <numbers>

#include "apps/program/random_stream.hpp"

namespace nbody {
namespace {

// In [0, 1).
double uniform(tsubu::random_source& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

point on_sphere(tsubu::random_source& random, double radius) {
  const double z = 2 * uniform(random) - 1, angle = 2 * std::numbers::pi * uniform(random);
  const double across = std::sqrt(1 - z * z);
  return {radius * across * std::cos(angle), radius * across * std::sin(angle), radius * z};
}

// Aarseth, Henon, Wielen, A comparison of numerical methods for the study of star cluster dynamics, 1974.
void place_in_plummer(body& b, tsubu::random_source& random) {
  constexpr double scale = 3 * std::numbers::pi / 16;  // to the units where the energy is -1/4
  constexpr double farthest = 16;
  double radius = 0;
  do {
    radius = 1 / std::sqrt(std::pow(1 - uniform(random), -2.0 / 3) - 1);
  } while (!(radius <= farthest));
  double speed = 0, chance = 0;  // in units of the speed to escape
  do {
    speed = uniform(random);
    chance = 0.1 * uniform(random);
  } while (chance > speed * speed * std::pow(1 - speed * speed, 3.5));
  b.position = on_sphere(random, scale * radius);
  b.velocity = on_sphere(random, speed * std::sqrt(2 / scale) * std::pow(1 + radius * radius, -0.25));
}

}  // namespace

body make_body(distribution kind, std::int64_t bodies, std::uint64_t seed, std::int64_t number) {
  tsubu::random_source random(program::mixed(program::mixed(seed) + static_cast<std::uint64_t>(number)));
  body b;
  b.number = number;
  b.mass = 1 / static_cast<double>(bodies);
  if (kind == distribution::uniform) {
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    b.position = {x, y, z};
  } else {
    place_in_plummer(b, random);
  }
  return b;
}

}  // namespace nbody
