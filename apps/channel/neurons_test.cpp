// Promise: the neurons of a net move as the equation says, and a net is settled if and only if its one place is in
// conflict with nobody's. Method: steps that can be worked out by hand.
#include "apps/channel/neurons.hpp"

#include <gtest/gtest.h>

namespace channel {
namespace {

constexpr motion never_climbs{.one = 1, .conflict = 2, .none = 16, .climb = 0, .spread = 1};
constexpr motion always_climbs{.one = 1, .conflict = 2, .none = 16, .climb = 100, .spread = 1};
const tsubu::random_source random(1);

// Alone, a net's first neuron is raised by A + C, fires, and keeps the others from being raised.
TEST(Neurons, OfANetAloneFindThePlaceOnTop) {
  net_neurons alone(random, 3, never_climbs);
  EXPECT_FALSE(alone.is_settled());
  EXPECT_TRUE(alone.update());
  EXPECT_EQ(alone.now(), firing{0});
  EXPECT_TRUE(alone.is_settled());
  EXPECT_FALSE(alone.update());
  EXPECT_EQ(alone.now(), firing{0});
}

TEST(Neurons, AvoidTheirNeighbours) {
  const neighbour beside{}, below{.below = true}, above{.above = true};
  struct example {
    neighbour of;
    firing theirs, found;
  };
  // Neurons 0, 2, 4 are the tracks of one pair of layers, 1, 3, 5 those of the other. The net must be on another place
  // than a neighbour; above one that must be below it; below one that must be above it, so 0 .. 4 are in conflict.
  const example examples[] = {{beside, {0}, {1}},     {beside, {0, 1}, {2}}, {below, {2}, {0}},   {below, {0}, {1}},
                              {below, {0, 1, 3}, {}}, {above, {2}, {1}},     {above, {4, 5}, {}}, {above, {2, 3}, {4}}};
  for (const example& e : examples) {
    motion by = never_climbs;
    by.conflict = 100;
    net_neurons net(random, 3, by);
    net.hear(e.of, e.theirs);
    net.update();
    EXPECT_EQ(net.now(), e.found) << testing::PrintToString(e.theirs) << e.of.below << e.of.above;
    net.hear(e.of, e.theirs);
    EXPECT_EQ(net.is_settled(), !e.found.empty()) << testing::PrintToString(e.theirs) << e.of.below << e.of.above;
  }
}

// The neuron that fires loses B in each iteration, from A + C = 17, and A if another fires, too.
TEST(Neurons, GiveUpAPlaceThatIsTaken) {
  net_neurons net(random, 1, never_climbs);
  net.update();
  ASSERT_EQ(net.now(), firing{0});
  for (int i = 0; i < 8; ++i) {
    net.hear({}, {0});
    EXPECT_FALSE(net.is_settled());
    EXPECT_FALSE(net.update()) << i;
  }
  net.hear({}, {0});
  EXPECT_TRUE(net.update());
  EXPECT_EQ(net.now(), firing{1});  // none fires any more when it is its turn
}

// While it climbs, a neuron that does not fire is raised though its place is taken.
TEST(Neurons, Climb) {
  net_neurons climbing(random, 1, always_climbs),
      other(random, 1, {.one = 1, .conflict = 20, .none = 16, .climb = 0, .spread = 1});
  for (net_neurons* net : {&climbing, &other}) {
    net->hear({}, {0, 1});
    net->update();
  }
  EXPECT_EQ(climbing.now(), firing{0});
  EXPECT_EQ(other.now(), firing{});
}

}  // namespace
}  // namespace channel
