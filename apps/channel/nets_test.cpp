// Promise: nets know who is in their columns and who must be below or above. Method: a small channel, by hand.
#include "apps/channel/nets.hpp"

#include <gtest/gtest.h>

namespace channel {
namespace {

// Nets 1 and 2 must be above each other; 7 meets 2 only, in a column where it has both pins; 9 meets 7.
const pins small{.top = {1, 2, 0, 7, 0, 9}, .bottom = {0, 1, 1, 7, 2, 7}};

const neighbour* find(const net& n, std::uint32_t other) {
  for (const neighbour& p : n.neighbours) {
    if (p.net == other) return &p;
  }
  return nullptr;
}

TEST(Nets, HaveTheColumnsOfTheirPins) {
  const std::vector<net> nets = nets_of({.top = {1, 2, 0, 7, 1, 9}, .bottom = {0, 1, 2, 7, 2, 9}});
  ASSERT_EQ(nets.size(), 4U);
  const int numbers[] = {1, 2, 7, 9};
  const std::size_t first[] = {0, 1, 3, 5}, last[] = {4, 4, 3, 5};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(nets[i].number, numbers[i]);
    EXPECT_EQ(nets[i].first, first[i]) << i;
    EXPECT_EQ(nets[i].last, last[i]) << i;
  }
  EXPECT_EQ(density(nets), 3);
  EXPECT_TRUE(nets[3].neighbours.empty());
}

TEST(Nets, KnowTheirNeighbours) {
  pins given = small;
  given.bottom[0] = 2;  // now 1 is above 2, and 2 above 1
  const std::vector<net> nets = nets_of(given);
  ASSERT_EQ(nets.size(), 4U);
  const neighbour *of_1 = find(nets[0], 1), *of_2 = find(nets[1], 0);
  ASSERT_TRUE(of_1 != nullptr && of_2 != nullptr);
  EXPECT_TRUE(of_1->below && of_1->above && of_2->below && of_2->above);
  const neighbour* seven = find(nets[1], 2);
  ASSERT_NE(seven, nullptr);
  EXPECT_FALSE(seven->below || seven->above);
  const neighbour *of_9 = find(nets[3], 2), *of_7 = find(nets[2], 3);
  ASSERT_TRUE(of_9 != nullptr && of_7 != nullptr);
  EXPECT_TRUE(of_9->below && !of_9->above);
  EXPECT_TRUE(of_7->above && !of_7->below);
  EXPECT_EQ(find(nets[0], 2), nullptr);
  EXPECT_EQ(nets[0].neighbours.size(), 1U);
}

}  // namespace
}  // namespace channel
