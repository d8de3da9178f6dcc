#include "apps/nbody/octree.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace nbody {
namespace {

constexpr cube unit{};

TEST(Key, InterleavesThreeCoordinates) {
  EXPECT_EQ(key_of(unit, {0, 0, 0}), 0U);
  const double step = 1.0 / (1 << deepest_level);
  EXPECT_EQ(key_of(unit, {step, 0, 0}), 1U);
  EXPECT_EQ(key_of(unit, {0, step, 0}), 2U);
  EXPECT_EQ(key_of(unit, {0, 0, step}), 4U);
  EXPECT_EQ(key_of(unit, {3 * step, 2 * step, 0}), 1U + 8 + 16);
  EXPECT_EQ(octant_of(key_of(unit, {0.75, 0.25, 0.75}), 0), 5);
  EXPECT_EQ(octant_of(key_of(unit, {0.75, 0.25, 0.5}), 1), 3);
}

TEST(Key, StaysInTheCube) {
  const cube c = cube_around({-1, 0, 5}, {3, 2, 6});
  EXPECT_EQ(c.edge, 4);
  EXPECT_EQ(key_of(c, {-1, 0, 5}), 0U);
  EXPECT_EQ(key_of(c, {3, 4, 9}), past_all_keys - 1);  // the upper faces belong to the last cells
  EXPECT_EQ(key_of(c, {1e300, 1e300, 1e300}), past_all_keys - 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(key_of(c, {nan, nan, nan}), 0U);
  EXPECT_EQ(cube_around({1, 1, 1}, {1, 1, 1}).edge, 1);  // all bodies in one place
}

TEST(Place, OctantsFollowOneAnother) {
  const place all;
  EXPECT_EQ(all.end(), past_all_keys);
  for (const place& in : {all, all.octant(3), all.octant(7).octant(0)}) {
    body_key at = in.first;
    for (int o = 0; o < 8; ++o) {
      EXPECT_EQ(in.octant(o).first, at);
      EXPECT_EQ(octant_of(at, in.level), o);
      at = in.octant(o).end();
      EXPECT_EQ(octant_of(at - 1, in.level), o);
    }
    EXPECT_EQ(at, in.end());
  }
  place deep;
  while (deep.level < deepest_level) deep = deep.octant(7);
  EXPECT_EQ(deep.keys(), 1U);
  EXPECT_EQ(deep.first, past_all_keys - 1);
}

}  // namespace
}  // namespace nbody
