#include "apps/nbody/gravity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tsubu/base/random.hpp"

namespace nbody {
namespace {

// EM-4's N-body took a cell for one body where size / distance < 1 / 0.95.
TEST(FarEnough, BeginsBeyondSizeOverTheta) {
  constexpr double theta = 1 / 0.95, hair = 1e-12;
  const auto far = [](double size, double distance) { return far_enough(size, distance * distance, theta); };
  for (const double size : {1e-3, 0.125, 1.0, 42.0}) {
    EXPECT_FALSE(far(size, 0.95 * size * (1 - hair))) << size;
    EXPECT_TRUE(far(size, 0.95 * size * (1 + hair))) << size;
  }
  // Where no rounding is involved: on the boundary itself a cell is opened.
  EXPECT_FALSE(far_enough(1, 4, 0.5));
  EXPECT_TRUE(far_enough(1, std::nextafter(4, 5), 0.5));
  EXPECT_FALSE(far_enough(1, 0, 100));
}

TEST(Box, MeasuresFromItsNearestPoint) {
  const box b(std::vector<point>{{0, 0, 0}, {1, 2, 3}, {0.5, 1, 1}});
  const eight x = {0.5, -2, 1, 2, 0, 1, -1, 0}, y = {1.5, 1, 5, 4, 0, 2, -1, 0}, z = {2.9, 1, 1, 5, 0, 3, -1, 4};
  EXPECT_EQ(b.distances_squared(x, y, z), (eight{0, 4, 9, 1 + 4 + 4, 0, 0, 3, 1}));
}

pull naive(point target, const std::vector<point>& at, const std::vector<double>& mass, double softening) {
  pull sum;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const point d = at[i] - target;
    const double reach = std::sqrt(dot(d, d) + softening * softening);
    sum += {mass[i] / (reach * reach * reach) * d, -mass[i] / reach};
  }
  return sum;
}

class Attract : public testing::TestWithParam<int> {};

// The sum is right for numbers of attractors that fill vector registers, and for others.
TEST_P(Attract, SumsOverAllAttractors) {
  tsubu::random_source random(7);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const auto anywhere = [&] {
    const double x = uniform(), y = uniform(), z = uniform();
    return point{x, y, z};
  };
  std::vector<point> targets, at;
  std::vector<double> mass;
  for (int i = 0; i < 10; ++i) targets.push_back(anywhere());
  attractors all;
  for (int i = 0; i < GetParam(); ++i) {
    at.push_back(i < 5 ? targets[static_cast<std::size_t>(i)] : anywhere());  // some at the targets' places
    mass.push_back(uniform());
    all.reserve_more(1);
    all.put(at.back().x, at.back().y, at.back().z, mass.back());
  }
  const pull before{{1, 2, 3}, 4};
  std::vector<pull> felt(targets.size(), before);
  attract(targets, all, 0.01, felt);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    pull expected = naive(targets[i], at, mass, 0.01);
    expected += before;
    const double scale = 1e-12 * (1 + std::sqrt(dot(expected.acceleration, expected.acceleration)));
    EXPECT_NEAR(felt[i].acceleration.x, expected.acceleration.x, scale);
    EXPECT_NEAR(felt[i].acceleration.y, expected.acceleration.y, scale);
    EXPECT_NEAR(felt[i].acceleration.z, expected.acceleration.z, scale);
    EXPECT_NEAR(felt[i].potential, expected.potential, 1e-12 * std::abs(expected.potential));
  }
}

INSTANTIATE_TEST_SUITE_P(Attractors, Attract, testing::Values(0, 1, 3, 4, 5, 8, 15, 64, 1001));

TEST(Attract, AtItsOwnPlaceABodyAddsToThePotentialOnly) {
  const std::vector<point> targets = {{1, 1, 1}};
  attractors self;
  self.reserve_more(1);
  self.put(1, 1, 1, 2);
  std::vector<pull> felt(1);
  attract(targets, self, 0.5, felt);
  EXPECT_EQ(felt[0].acceleration, point());
  EXPECT_EQ(felt[0].potential, -4);
}

TEST(Attractors, OneThatDoesNotCountIsOverwritten) {
  attractors some;
  some.reserve_more(3);
  some.put(1, 1, 1, 1);
  some.put(2, 2, 2, 2, 0);
  some.put(3, 3, 3, 3);
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some.x()[1], 3);
  some.clear();
  EXPECT_EQ(some.size(), 0U);
}

}  // namespace
}  // namespace nbody
