// Compiled so that sqrt() need not set errno, which would keep loops from being vectorised, and with OpenMP's simd.
#include "apps/nbody/gravity.hpp"

#include <algorithm>
#include <cmath>

#include "tsubu/base/sanitizer.hpp"

// The loops are compiled several times, and the processor decides at the start which is used. Sanitizers are not ready
// yet when it decides.
#if defined(__x86_64__) && defined(__GLIBC__) && !TSUBU_ASAN && !TSUBU_TSAN
#define NBODY_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define NBODY_VECTORISED
#endif

namespace nbody {
namespace {

NBODY_VECTORISED pull attract_one(point target, const attractors& by, double softening_squared) {
  const double *const x = by.x(), *const y = by.y(), *const z = by.z(), *const mass = by.mass();
  const std::size_t count = by.size();
  double ax = 0, ay = 0, az = 0, potential = 0;
#pragma omp simd reduction(+ : ax, ay, az, potential)
  for (std::size_t i = 0; i < count; ++i) {
    const double dx = x[i] - target.x, dy = y[i] - target.y, dz = z[i] - target.z;
    const double d2 = dx * dx + dy * dy + dz * dz + softening_squared;
    const double strength = mass[i] / (d2 * std::sqrt(d2));
    ax += strength * dx;
    ay += strength * dy;
    az += strength * dz;
    potential -= strength * d2;
  }
  return {{ax, ay, az}, potential};
}

}  // namespace

box::box(std::span<const point> of) : low(of.front()), high(of.front()) {
  for (const point& p : of) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
}

NBODY_VECTORISED eight box::distances_squared(const eight& x, const eight& y, const eight& z) const {
  eight squared;
  for (std::size_t i = 0; i < squared.size(); ++i) {
    // One of the two differences is negative, or both are.
    const double dx = std::max(std::max(low.x - x[i], x[i] - high.x), 0.0);
    const double dy = std::max(std::max(low.y - y[i], y[i] - high.y), 0.0);
    const double dz = std::max(std::max(low.z - z[i], z[i] - high.z), 0.0);
    squared[i] = dx * dx + dy * dy + dz * dz;
  }
  return squared;
}

void attractors::grow(std::size_t least) {
  const std::size_t size = std::max(least, 2 * x_.size() + 1024);
  for (auto* column : {&x_, &y_, &z_, &mass_}) column->resize(size);
}

void attract(std::span<const point> targets, const attractors& by, double softening, std::span<pull> felt) {
  for (std::size_t i = 0; i < targets.size(); ++i) felt[i] += attract_one(targets[i], by, softening * softening);
}

}  // namespace nbody
