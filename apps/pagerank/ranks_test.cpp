// Promise: the sequential program gives the ranks that small graphs are known to have, and sums over blocks are those
// over links. Method: graphs whose ranks can be worked out by hand.
#include "apps/pagerank/ranks.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace pagerank {
namespace {

graph::sparse_rows graph_of(vertex pages, std::vector<graph::entry> links) {
  return graph::assemble({}, pages, pages, std::move(links), graph::repeats::keep_least);
}

const rules to_the_end{.damping = 0.85, .steps = 1000, .tolerance = 1e-15};

TEST(Ranks, AreEqualOnARing) {
  const ranking found = rank_alone(graph_of(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}}), to_the_end);
  for (const double rank : found.rank) EXPECT_NEAR(rank, 0.25, 1e-15);
}

// Two pages link to a third, and that to none. A leaf has a = (1 - d) / 3 + d c / 3, the hub c = a + 2 d a.
TEST(Ranks, OfAStar) {
  const ranking found = rank_alone(graph_of(3, {{0, 2, 1}, {1, 2, 1}}), to_the_end);
  const double leaf = 1 / (3 + 2 * 0.85);
  EXPECT_NEAR(found.rank[0], leaf, 1e-14);
  EXPECT_NEAR(found.rank[1], leaf, 1e-14);
  EXPECT_NEAR(found.rank[2], 1 - 2 * leaf, 1e-14);
}

TEST(Ranks, WithoutLinksAreEqual) {
  const ranking found = rank_alone(graph_of(5, {}), to_the_end);
  EXPECT_EQ(found.steps, 1);
  for (const double rank : found.rank) EXPECT_NEAR(rank, 0.2, 1e-15);
}

TEST(Ranks, StopAfterTheSteps) {
  const auto star = graph_of(3, {{0, 2, 1}, {1, 2, 1}});
  EXPECT_EQ(rank_alone(star, {.damping = 0, .steps = 7, .tolerance = 0}).steps, 7);
  const ranking found = rank_alone(star, {.damping = 0.5, .steps = 1, .tolerance = 0});
  EXPECT_EQ(found.steps, 1);
  // (1 - d) / 3 + d / 9 for the leaves, and d 2 / 3 more for the hub.
  EXPECT_NEAR(found.rank[0], 0.5 / 3 + 0.5 / 9, 1e-15);
  EXPECT_NEAR(found.rank[2], 0.5 / 3 + 0.5 / 9 + 1.0 / 3, 1e-15);
  EXPECT_NEAR(std::accumulate(found.rank.begin(), found.rank.end(), 0.0), 1, 1e-15);
}

TEST(Links, WeightsAreAddedToTheirPages) {
  const link_block block{.to = {1, 4}, .start = {0, 2, 5}, .from = {0, 3, 1, 1, 2}};
  const double weights[] = {1, 10, 100, 1000};
  double sums[] = {0, 0.5, 0, 0, 0, 0};
  add_weights(block, weights, sums);
  const double expected[] = {0, 1001.5, 0, 0, 120, 0};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(sums[i], expected[i]) << i;
}

}  // namespace
}  // namespace pagerank
