// Promise: the generator draws what Graph500 specifies, labels are permuted, and every vertex has one owner.
// Method: labels are counted; the frequencies of the quadrants are compared with the probabilities.
#include "apps/bfs/kronecker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace {

TEST(kronecker, scrambling_is_a_permutation) {
  for (const int scale : {1, 2, 7, 13}) {
    const bfs::kronecker graph(scale, 16, 5);
    std::vector<bfs::vertex> labels;
    for (bfs::vertex v = 0; v < graph.vertices(); ++v) labels.push_back(graph.scrambled(v));
    EXPECT_TRUE(scale < 7 || !std::is_sorted(labels.begin(), labels.end()));
    std::sort(labels.begin(), labels.end());
    for (bfs::vertex v = 0; v < graph.vertices(); ++v) ASSERT_EQ(labels[v], v) << "scale " << scale;
  }
}

// With one step, the four possible edges have the probabilities themselves.
TEST(kronecker, quadrants_have_their_probabilities) {
  const bfs::kronecker graph(1, 1 << 19, 7);
  std::map<std::pair<bfs::vertex, bfs::vertex>, double> seen;
  for (std::uint64_t i = 0; i < graph.edges(); ++i) {
    const bfs::edge e = graph.edge_at(i);
    seen[{e.from, e.to}] += 1.0 / static_cast<double>(graph.edges());
  }
  const bfs::vertex zero = graph.scrambled(0), one = graph.scrambled(1);
  EXPECT_NEAR((seen[{zero, zero}]), 0.57, 0.003);
  EXPECT_NEAR((seen[{zero, one}]), 0.19, 0.003);
  EXPECT_NEAR((seen[{one, zero}]), 0.19, 0.003);
  EXPECT_NEAR((seen[{one, one}]), 0.05, 0.003);
}

TEST(kronecker, steps_are_independent) {
  const bfs::kronecker graph(2, 1 << 18, 11);
  double corner = 0;
  for (std::uint64_t i = 0; i < graph.edges(); ++i)
    corner += graph.edge_at(i) == bfs::edge{graph.scrambled(0), graph.scrambled(0)};
  EXPECT_NEAR(corner / static_cast<double>(graph.edges()), 0.57 * 0.57, 0.003);
}

TEST(kronecker, the_seed_decides) {
  const bfs::kronecker graph(10, 16, 1), same(10, 16, 1), other(10, 16, 2);
  int differing = 0;
  for (std::uint64_t i = 0; i < graph.edges(); ++i) {
    ASSERT_EQ(graph.edge_at(i), same.edge_at(i));
    differing += graph.edge_at(i) != other.edge_at(i);
  }
  EXPECT_GT(differing, 16'000);
}

TEST(ownership, every_vertex_has_one_place) {
  for (const tsubu::pe_id pes : {1, 2, 3, 7, 8, 1000, 65535, 1 << 20}) {
    const bfs::ownership where(pes);
    const auto check = [&](bfs::vertex v) {
      ASSERT_EQ(where.owner(v), static_cast<tsubu::pe_id>(v % static_cast<bfs::vertex>(pes))) << v << " of " << pes;
      ASSERT_EQ(where.label(where.index(v), where.owner(v)), v) << v << " of " << pes;
    };
    const auto divisor = static_cast<bfs::vertex>(pes);
    for (bfs::vertex v = 0; v < 10'000; ++v) check(v), check((1u << 31) - 1 - v);
    for (bfs::vertex q = 1; q < 2000; ++q) check(q * divisor), check(q * divisor - 1);  // where a quotient changes
    std::size_t all = 0;
    for (tsubu::pe_id pe = 0; pe < pes; ++pe) all += where.share(12'345, pe);
    EXPECT_EQ(all, 12'345u);
  }
}

}  // namespace
