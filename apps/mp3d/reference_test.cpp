#include "apps/mp3d/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace mp3d {
namespace {

TEST(Reference, KeepsItsMolecules) {
  reference tunnel(gas(1000, 2));
  const std::int64_t began = tunnel.molecules_in_stream();
  for (int step = 0; step < 50; ++step) tunnel.step();
  EXPECT_EQ(tunnel.molecules().size(), 1000U);
  EXPECT_EQ(tunnel.molecules_in_stream(), began + tunnel.counted().entered - tunnel.counted().left);
  EXPECT_GT(tunnel.counted().left, 0);
  EXPECT_GT(tunnel.counted().boundary_hits, 0);
  EXPECT_LE(tunnel.counted().momentum_error, 1e-12);
  EXPECT_LE(tunnel.counted().energy_error, 1e-12);
}

// In a gas in equilibrium a molecule collides n sigma times its mean relative speed, 4 / sqrt(pi) thermal speeds.
TEST(Reference, CollidesAsOftenAsTheMeanFreePathSays) {
  constexpr std::int64_t molecules = 100'000;
  reference tunnel(gas(molecules, 3));
  tunnel.step();
  const double of_one = 4 / std::sqrt(std::numbers::pi) * thermal_speed / (std::numbers::sqrt2 * mean_free_path);
  const double expected = of_one * molecules * cells_x / (cells_x + reservoir_depth) / 2;
  // The plate has disturbed the stream for one step only.
  EXPECT_NEAR(static_cast<double>(tunnel.counted().collisions), expected, 5 * std::sqrt(expected));
}

// In front of the plate the gas is compressed, behind it there is a wake.
TEST(Reference, TheStreamParts) {
  reference tunnel(gas(20'000, 4));
  for (int step = 0; step < 60; ++step) tunnel.step();
  const auto density = [&](double x, double y) {
    int count = 0;
    for (const molecule& m : tunnel.molecules()) {
      const vector3 d = m.position - vector3{x, y, 3.5};
      if (std::abs(d.x) < 1 && std::abs(d.y) < 1 && std::abs(d.z) < 1.5) ++count;
    }
    return count / 12.0;
  };
  const double stream = 20'000 / 2688.0, windward = density(6, 13.3), leeward = density(7.5, 11.5);
  EXPECT_GT(windward, 1.5 * stream);
  EXPECT_LT(leeward, 0.5 * stream);
}

TEST(Reference, FollowsFromTheSeed) {
  const auto digest_of = [](std::uint64_t seed) {
    reference tunnel(gas(200, seed));
    for (int step = 0; step < 10; ++step) tunnel.step();
    return tunnel.digest();
  };
  EXPECT_EQ(digest_of(1), digest_of(1));
  EXPECT_NE(digest_of(1), digest_of(2));
}

}  // namespace
}  // namespace mp3d
