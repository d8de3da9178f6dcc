#include "apps/mp3d/tunnel.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mp3d {
namespace {

TEST(Tunnel, EachUnitCubeIsACell) {
  std::set<std::uint32_t> found;
  for (int x = 0; x < cells_x; ++x)
    for (int y = 0; y < cells_y; ++y)
      for (int z = 0; z < cells_z; ++z) {
        const std::uint32_t cell = cell_of({x + 0.5, y + 0.5, z + 0.5});
        EXPECT_LT(cell, cells);
        EXPECT_EQ(cell, cell_of({x + 0.0, y + 0.999, z + 0.001}));
        found.insert(cell);
      }
  EXPECT_EQ(found.size(), 2352U);
}

TEST(Tunnel, WhatLiesOnAWallIsInTheCellBesideIt) {
  EXPECT_EQ(cell_of({3.5, 24, 7}), cell_of({3.5, 23.5, 6.5}));
  EXPECT_EQ(cell_of({3.5, 0, 0}), cell_of({3.5, 0.5, 0.5}));
}

TEST(Tunnel, WallsReflect) {
  vector3 end = {5, -0.25, 7.5}, velocity = {0.5, -1, 2};
  EXPECT_EQ(reflect_at_walls(end, velocity), 2);
  EXPECT_EQ(end, (vector3{5, 0.25, 6.5}));
  EXPECT_EQ(velocity, (vector3{0.5, 1, -2}));
  EXPECT_EQ(reflect_at_walls(end, velocity), 0);
  EXPECT_EQ(end, (vector3{5, 0.25, 6.5}));
}

TEST(Tunnel, WhatTouchesAWallIsNotReflected) {
  vector3 end = {5, 0, 7}, velocity = {0, -1, 1};
  EXPECT_EQ(reflect_at_walls(end, velocity), 0);
  EXPECT_EQ(velocity, (vector3{0, -1, 1}));
}

// As a flight in small steps would be.
TEST(Tunnel, AFastMoleculeIsReflectedAgainAndAgain) {
  vector3 end = {5, 12, 3 + 7 * 3.0}, velocity = {0, 0, 21};
  EXPECT_EQ(reflect_at_walls(end, velocity), 3);
  EXPECT_DOUBLE_EQ(end.z, 4);
  EXPECT_EQ(velocity.z, -21);
}

}  // namespace
}  // namespace mp3d
