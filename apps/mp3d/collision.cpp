#include "apps/mp3d/collision.hpp"

#include <cmath>

#include "apps/mp3d/random.hpp"

namespace mp3d {
namespace {

double length(const vector3& v) { return std::sqrt(dot(v, v)); }

}  // namespace

// In a unit of space there are n (n - 1) / 2 pairs, and each would collide with the chance sigma g.
double chance_of_collision(const gas& of, std::int64_t molecules_in_cell, double relative_speed) {
  const auto n = static_cast<double>(molecules_in_cell);
  const std::int64_t pairs = molecules_in_cell / 2;
  return n * (n - 1) / 2 / static_cast<double>(pairs) * of.cross_section * relative_speed;
}

void scatter(tsubu::random_source& random, vector3& a, vector3& b, counters& counted) {
  const vector3 momentum = a + b;
  const double energy = dot(a, a) + dot(b, b), speeds = length(a) + length(b);
  const vector3 half = 0.5 * length(a - b) * direction(random);
  a = 0.5 * momentum + half;
  b = 0.5 * momentum - half;
  counted.momentum_error = worse(counted.momentum_error, length(a + b - momentum) / speeds);
  counted.energy_error = worse(counted.energy_error, std::abs(dot(a, a) + dot(b, b) - energy) / energy);
  ++counted.collisions;
}

bool collide(const gas& of, std::int64_t step, std::int64_t molecules_in_cell, visitor& first, visitor& second,
             counters& counted) {
  tsubu::random_source random = draw(of.seed, purpose::collision, first.number, step);
  const double relative_speed = length(first.velocity - second.velocity);
  if (!(uniform(random) < chance_of_collision(of, molecules_in_cell, relative_speed))) return false;
  scatter(random, first.velocity, second.velocity, counted);
  return true;
}

}  // namespace mp3d
