#include "apps/mp3d/collision.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/mp3d/random.hpp"

namespace mp3d {
namespace {

TEST(Collision, KeepsMomentumAndEnergy) {
  tsubu::random_source random(1);
  for (int i = 0; i < 1000; ++i) {
    const vector3 a = normal(random), b = 10 * normal(random);
    vector3 after_a = a, after_b = b;
    counters counted;
    scatter(random, after_a, after_b, counted);
    const vector3 change = after_a + after_b - (a + b);
    EXPECT_LE(std::sqrt(dot(change, change)), 1e-14);
    EXPECT_NEAR(dot(after_a, after_a) + dot(after_b, after_b), dot(a, a) + dot(b, b), 1e-12);
    EXPECT_EQ(counted.collisions, 1);
    EXPECT_LE(counted.momentum_error, 1e-15);
    EXPECT_LE(counted.energy_error, 1e-14);
    EXPECT_NE(after_a, a);
  }
}

TEST(Collision, ScattersIntoAllDirections) {
  constexpr int count = 20'000;
  tsubu::random_source random(2);
  vector3 mean;
  double cosine_squared = 0;
  for (int i = 0; i < count; ++i) {
    vector3 a = {1, 0, 0}, b = {-1, 0, 0};
    counters counted;
    scatter(random, a, b, counted);
    mean = mean + 1.0 / count * a;
    cosine_squared += a.x * a.x / count;
  }
  const double sigma = 1 / std::sqrt(count);
  for (const double x : {mean.x, mean.y, mean.z}) EXPECT_NEAR(x, 0, 5 * sigma);
  EXPECT_NEAR(cosine_squared, 1.0 / 3, 5 * 0.3 * sigma);
}

// However many there are in a cell, all of the possible pairs count: n (n - 1) / 2 of them, shared out on floor(n / 2).
TEST(Collision, ChanceCountsAllPairsOfTheCell) {
  const gas of(1000, 1);
  const double of_one_pair = of.cross_section * 0.2;
  for (const int n : {2, 3, 4, 5, 42}) {
    const int chosen = n / 2, all = n * (n - 1) / 2;
    EXPECT_NEAR(chance_of_collision(of, n, 0.2) * chosen, of_one_pair * all, 1e-12);
  }
}

TEST(Collision, HappensAsOftenAsItsChance) {
  constexpr std::int64_t pairs = 20'000;
  const gas of(100'000, 4);
  const double speed = 0.3 / chance_of_collision(of, 2, 1);
  counters counted;
  for (std::int64_t i = 0; i < pairs; ++i) {
    visitor a = {2 * i, {speed, 0, 0}}, b = {2 * i + 1, {0, 0, 0}};
    const bool collided = collide(of, 1, 2, a, b, counted);
    EXPECT_EQ(collided, a.velocity != (vector3{speed, 0, 0}));
  }
  EXPECT_NEAR(static_cast<double>(counted.collisions), 0.3 * pairs, 5 * std::sqrt(0.3 * 0.7 * pairs));
}

TEST(Collision, NeverOfMoleculesThatFlySideBySide) {
  const gas of(1, 1);
  counters counted;
  for (std::int64_t i = 0; i < 100; ++i) {
    visitor a = {i, {0.5, 0, 0}}, b = {i + 100, {0.5, 0, 0}};
    EXPECT_FALSE(collide(of, i, 50, a, b, counted));
  }
}

}  // namespace
}  // namespace mp3d
