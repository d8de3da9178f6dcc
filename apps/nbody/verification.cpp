#include "apps/nbody/verification.hpp"

#include <algorithm>
#include <cmath>

#include "apps/nbody/gravity.hpp"

namespace nbody {

using namespace tsubu;

namespace {

struct sampled {
  std::int64_t number = 0;
  point position;
  point acceleration;
};

}  // namespace

task<double> force_error(const std::vector<body>* bodies, std::int64_t total, std::int64_t sample, double softening) {
  const std::int64_t stride = std::max<std::int64_t>(1, (total + sample - 1) / sample);
  std::vector<sampled> mine;
  attractors here;
  here.reserve_more(bodies->size());
  for (const body& b : *bodies) {
    here.put(b.position.x, b.position.y, b.position.z, b.mass);
    if (b.number % stride == 0) mine.push_back({b.number, b.position, b.felt.acceleration});
  }
  std::vector<sampled> all;
  for (const auto& one : co_await all_gather(std::move(mine))) all.insert(all.end(), one.begin(), one.end());

  std::vector<point> targets;
  targets.reserve(all.size());
  for (const sampled& s : all) targets.push_back(s.position);
  std::vector<pull> felt(targets.size());
  attract(targets, here, softening, felt);
  std::vector<double> sums;
  for (const pull& f : felt) sums.insert(sums.end(), {f.acceleration.x, f.acceleration.y, f.acceleration.z});
  sums = co_await all_reduce(std::move(sums), reduce::plus);

  double errors = 0, strengths = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const point exact{sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]};
    const point wrong = all[i].acceleration - exact;
    errors += dot(wrong, wrong);
    strengths += dot(exact, exact);
  }
  co_return strengths > 0 ? std::sqrt(errors / strengths) : std::sqrt(errors);
}

task<double> total_energy(const std::vector<body>* bodies) {
  double energy = 0;
  for (const body& b : *bodies) energy += b.mass * (dot(b.velocity, b.velocity) + b.felt.potential) / 2;
  return all_reduce(energy, reduce::plus);
}

}  // namespace nbody
