#include "apps/mp3d/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "apps/mp3d/plate.hpp"
#include "apps/mp3d/tunnel.hpp"

namespace mp3d {
namespace {

const gas few(10, 1);

TEST(Motion, FliesStraightOn) {
  molecule m = {{1, 2, 3}, {0.5, 0.25, -0.125}};
  counters counted;
  move(few, 0, 1, m, counted);
  EXPECT_EQ(m.position, (vector3{1.5, 2.25, 2.875}));
  EXPECT_EQ(m.velocity, (vector3{0.5, 0.25, -0.125}));
  EXPECT_EQ(counted, counters());
}

TEST(Motion, CountsWallsAndPlate) {
  counters counted;
  molecule at_wall = {{1, 0.25, 6.75}, {0, -0.5, 0.5}};
  move(few, 0, 1, at_wall, counted);
  EXPECT_EQ(counted.boundary_hits, 2);
  EXPECT_EQ(at_wall.position, (vector3{1, 0.25, 6.75}));
  molecule at_plate = {plate::centre - vector3{0.25, 0, 0}, {0.5, 0, 0}};
  move(few, 0, 1, at_plate, counted);
  EXPECT_EQ(counted.plate_hits, 1);
  EXPECT_GT(at_plate.velocity.y, 0.4);
}

TEST(Motion, EntersFromTheReservoir) {
  molecule m = {{-0.75, 2, 3}, {0.5, 0, 0}};
  counters counted;
  move(few, 0, 1, m, counted);
  EXPECT_FALSE(in_stream(m.position));
  EXPECT_EQ(counted.entered, 0);
  move(few, 0, 2, m, counted);
  EXPECT_EQ(m.position, (vector3{0.25, 2, 3}));
  EXPECT_EQ(counted.entered, 1);
}

TEST(Motion, WhoLeavesComesBackInTheReservoir) {
  counters counted;
  molecule downstream = {{13.75, 2, 3}, {0.5, 0, 0}}, upstream = {{0.25, 2, 3}, {-0.5, 0, 0}};
  move(few, 4, 7, downstream, counted);
  move(few, 5, 7, upstream, counted);
  EXPECT_EQ(counted.left, 2);
  EXPECT_EQ(counted.entered, 0);
  EXPECT_EQ(downstream.position, few.in_reservoir(4, 7).position);
  EXPECT_EQ(upstream.velocity, few.in_reservoir(5, 7).velocity);
}

// It was not in the stream, so it has not left it.
TEST(Motion, WhoLeavesTheReservoirAtItsBackIsNotCounted) {
  counters counted;
  molecule m = {{-1.75, 2, 3}, {-0.5, 0, 0}};
  move(few, 4, 7, m, counted);
  EXPECT_EQ(counted, counters());
  EXPECT_EQ(m.position, few.in_reservoir(4, 7).position);
}

// What the stream, without collisions, brings to the plate and through the inflow follows from density, speed and area.
TEST(Motion, TheStreamHasItsDensityAndSpeed) {
  constexpr std::int64_t molecules = 50'000;
  constexpr int steps = 20;
  const gas stream(molecules, 3);
  std::vector<molecule> all;
  for (std::int64_t i = 0; i < molecules; ++i) all.push_back(stream.at_beginning(i));
  counters counted;
  for (int step = 1; step <= steps; ++step)
    for (std::int64_t i = 0; i < molecules; ++i) move(stream, i, step, all[static_cast<std::size_t>(i)], counted);
  const double flux = stream_speed * molecules / ((reservoir_depth + cells_x) * cells_y * cells_z) * steps;
  const double plate_area = 2 * plate::half_length * plate::sine * 2 * plate::half_breadth;
  EXPECT_NEAR(static_cast<double>(counted.plate_hits), flux * plate_area, 5 * std::sqrt(flux * plate_area));
  // The reservoir gets back what leaves in lumps: 10 % are allowed.
  EXPECT_NEAR(static_cast<double>(counted.entered), flux * cells_y * cells_z, 0.1 * flux * cells_y * cells_z);
  EXPECT_NEAR(static_cast<double>(counted.left), flux * cells_y * cells_z, 0.1 * flux * cells_y * cells_z);
}

TEST(Gas, FillsBoxAndReservoirEvenly) {
  constexpr std::int64_t molecules = 20'000;
  const gas stream(molecules, 5);
  vector3 positions, velocities;
  for (std::int64_t i = 0; i < molecules; ++i) {
    const molecule m = stream.at_beginning(i), back = stream.in_reservoir(i, 9);
    EXPECT_GE(m.position.x, -reservoir_depth);
    EXPECT_LT(m.position.x, cells_x);
    EXPECT_GE(back.position.x, -reservoir_depth);
    EXPECT_LT(back.position.x, 0);
    positions = positions + 1.0 / molecules * m.position;
    velocities = velocities + 1.0 / molecules * m.velocity;
  }
  EXPECT_NEAR(positions.x, 6, 0.2);
  EXPECT_NEAR(positions.y, 12, 0.25);
  EXPECT_NEAR(positions.z, 3.5, 0.08);
  EXPECT_NEAR(velocities.x, stream_speed, 0.003);
  EXPECT_NEAR(velocities.y, 0, 0.003);
  EXPECT_NEAR(velocities.z, 0, 0.003);
}

}  // namespace
}  // namespace mp3d
