// Promise: the network finds legal places, with as few tracks as there can be where that is known, and says so where it
// finds none. Method: the checker, on Deutsch's example and on random channels; channels whose answer is plain.
#include "apps/channel/router.hpp"

#include <gtest/gtest.h>

#include "apps/channel/checker.hpp"

namespace channel {
namespace {

outcome route_with(const pins& given, rules by, int tracks) {
  by.fewest_tracks = by.most_tracks = tracks;
  return route_alone(nets_of(given), by);
}

void expect_legal(const pins& given, const outcome& found) {
  ASSERT_TRUE(found.found);
  EXPECT_EQ(trouble_of(lay_wires(given, nets_of(given), found.places, found.tracks), given), "");
}

TEST(Router, FindsDeutschsExampleWith12Tracks) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    rules by;
    by.tries = 2;
    by.seed = seed;
    const outcome found = route_with(deutsch(), by, 12);
    expect_legal(deutsch(), found);
    EXPECT_EQ(found, route_with(deutsch(), by, 12));
  }
}

// Ten is the least there can be for a density of 19.
TEST(Router, FindsDeutschsExampleWith10Tracks) {
  const outcome found = route_with(deutsch(), {}, 10);
  expect_legal(deutsch(), found);
  EXPECT_EQ(least_tracks(nets_of(deutsch())), 10);
  EXPECT_FALSE(route_with(deutsch(), {}, 9).found);
}

TEST(Router, FindsRandomChannels) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const pins given = random_pins(30, 70, seed);
    const std::vector<net> nets = nets_of(given);
    rules by;
    by.fewest_tracks = least_tracks(nets);
    by.most_tracks = by.fewest_tracks + 2;
    expect_legal(given, route_alone(nets, by));
  }
}

// Two nets that must both be above the other one are on two pairs of layers.
TEST(Router, SplitsACycle) {
  const pins given{.top = {1, 2}, .bottom = {2, 1}};
  const outcome found = route_with(given, {}, 1);
  expect_legal(given, found);
  EXPECT_NE(found.places[0].pair, found.places[1].pair);
}

// Three of them cannot be.
TEST(Router, SaysThatItFindsNone) {
  const pins given{.top = {1, 2, 2, 3, 3, 1}, .bottom = {2, 1, 3, 2, 1, 3}};
  const outcome found = route_with(given, {.by = {}, .tries = 2, .iterations = 100}, 5);
  EXPECT_FALSE(found.found);
  EXPECT_EQ(found.iterations_in_all, 200);
  EXPECT_TRUE(found.places.empty());
}

// Nets that have the same columns, and so the same neighbours.
TEST(Router, TellsEqualNetsApart) {
  const pins given{.top = {1, 2, 3, 4, 0, 0, 0, 0}, .bottom = {0, 0, 0, 0, 1, 2, 3, 4}};
  expect_legal(given, route_with(given, {}, 2));
}

TEST(Router, TriesMoreTracks) {
  // One column has three nets; one track would do for two of them.
  const pins given{.top = {1, 2, 3, 0, 0, 0}, .bottom = {0, 0, 0, 1, 2, 3}};
  rules by;
  by.fewest_tracks = 1;
  by.most_tracks = 3;
  by.tries = 1;
  by.iterations = 50;
  const outcome found = route_alone(nets_of(given), by);
  expect_legal(given, found);
  EXPECT_EQ(found.tracks, 2);
  EXPECT_GT(found.iterations_in_all, 50);
}

}  // namespace
}  // namespace channel
