#include "apps/nbody/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace nbody {
namespace {

constexpr std::int64_t count = 20'000;

std::vector<body> make(distribution kind) {
  std::vector<body> all;
  all.reserve(count);
  for (std::int64_t i = 0; i < count; ++i) all.push_back(make_body(kind, count, 3, i));
  return all;
}

TEST(Distribution, UniformFillsTheUnitCube) {
  point sum;
  double mass = 0;
  for (const body& b : make(distribution::uniform)) {
    for (const double x : {b.position.x, b.position.y, b.position.z}) {
      EXPECT_GE(x, 0);
      EXPECT_LT(x, 1);
    }
    EXPECT_EQ(b.velocity, point());
    sum = sum + b.position;
    mass += b.mass;
  }
  const double five_sigma = 5 * std::sqrt(count / 12.0);
  for (const double x : {sum.x, sum.y, sum.z}) EXPECT_NEAR(x, count / 2.0, five_sigma);
  EXPECT_NEAR(mass, 1, 1e-9);
}

TEST(Distribution, PlummerIsInEquilibrium) {
  std::vector<body> all = make(distribution::plummer);
  double kinetic = 0;
  for (const body& b : all) kinetic += b.mass * dot(b.velocity, b.velocity) / 2;
  EXPECT_NEAR(kinetic, 0.25, 0.01);  // half of the potential energy, 1/2
  std::vector<double> radii;
  radii.reserve(all.size());
  for (const body& b : all) radii.push_back(std::sqrt(dot(b.position, b.position)));
  std::sort(radii.begin(), radii.end());
  EXPECT_NEAR(radii[count / 2], 0.77, 0.02);  // that half of the mass is within
  EXPECT_LT(radii.back(), 16 * 0.6);
}

TEST(Distribution, SeedAndNumberDecide) {
  for (const distribution kind : {distribution::uniform, distribution::plummer}) {
    const body a = make_body(kind, 10, 1, 4);
    EXPECT_EQ(a.position, make_body(kind, 10, 1, 4).position);
    EXPECT_EQ(a.number, 4);
    EXPECT_NE(a.position, make_body(kind, 10, 1, 5).position);
    EXPECT_NE(a.position, make_body(kind, 10, 2, 4).position);
  }
}

}  // namespace
}  // namespace nbody
