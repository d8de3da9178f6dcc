#include "apps/mp3d/plate.hpp"

#include <gtest/gtest.h>

#include "apps/mp3d/tunnel.hpp"

namespace mp3d {
namespace {

void expect_near(const vector3& a, const vector3& b) {
  EXPECT_NEAR(a.x, b.x, 1e-14);
  EXPECT_NEAR(a.y, b.y, 1e-14);
  EXPECT_NEAR(a.z, b.z, 1e-14);
}

// At 30 degrees, what comes with the stream goes on at 60 degrees to it.
TEST(Plate, TurnsTheStreamByTwiceItsAngle) {
  const vector3 velocity_before = {1, 0, 0};
  vector3 end = plate::centre + 0.5 * velocity_before, velocity = velocity_before;
  EXPECT_TRUE(plate::reflect(plate::centre - 0.5 * velocity_before, end, velocity));
  const vector3 turned = {plate::sine, plate::cosine, 0};
  expect_near(velocity, turned);
  expect_near(end, plate::centre + 0.5 * turned);
}

TEST(Plate, ReflectsOnBothSides) {
  for (const double side : {1.0, -1.0}) {
    const vector3 flight = side * vector3{0.1, 0.2, 0.3}, begin = plate::centre - 0.25 * flight;
    vector3 end = begin + flight, velocity = flight;
    EXPECT_TRUE(plate::reflect(begin, end, velocity));
    EXPECT_NEAR(dot(velocity, plate::normal), -dot(flight, plate::normal), 1e-15);
    EXPECT_NEAR(dot(velocity, plate::along), dot(flight, plate::along), 1e-15);
    EXPECT_NEAR(velocity.z, flight.z, 1e-15);
    EXPECT_NEAR(dot(velocity, velocity), dot(flight, flight), 1e-15);
    // It stays on its side.
    EXPECT_GT(dot(end - plate::centre, plate::normal) * dot(begin - plate::centre, plate::normal), 0);
  }
}

TEST(Plate, EndsAtItsEdges) {
  const auto hits = [](double along, double z) {
    const vector3 at = plate::centre + along * plate::along + vector3{0, 0, z};
    vector3 end = at - 0.1 * plate::normal, velocity = -0.2 * plate::normal;
    return plate::reflect(at + 0.1 * plate::normal, end, velocity);
  };
  for (const double sign : {1.0, -1.0}) {
    EXPECT_TRUE(hits(sign * 2.99, 0));
    EXPECT_FALSE(hits(sign * 3.01, 0));
    EXPECT_TRUE(hits(0, sign * 1.99));
    EXPECT_FALSE(hits(0, sign * 2.01));
  }
}

TEST(Plate, LeavesAloneWhatDoesNotReachIt) {
  vector3 end = plate::centre + 0.1 * plate::normal, velocity = -0.1 * plate::normal;
  EXPECT_FALSE(plate::reflect(plate::centre + 0.2 * plate::normal, end, velocity));
  EXPECT_EQ(velocity, -0.1 * plate::normal);
}

// So a step need not look whether a wall sends a molecule to the plate.
TEST(Plate, IsMoreThanACellFromTheWalls) {
  for (const double sign : {1.0, -1.0}) {
    const vector3 corner =
        plate::centre + sign * (plate::half_length * plate::along + vector3{0, 0, plate::half_breadth});
    EXPECT_GT(corner.x, 1);
    EXPECT_LT(corner.x, cells_x - 1);
    EXPECT_GT(corner.y, 1);
    EXPECT_LT(corner.y, cells_y - 1);
    EXPECT_GT(corner.z, 1);
    EXPECT_LT(corner.z, cells_z - 1);
  }
}

}  // namespace
}  // namespace mp3d
