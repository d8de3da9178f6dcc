// Promise: in a job of any size each PE but 0 has one parent, which differs in one bit and knows it as its child; the
// subtree of a PE is the numbers that follow its own; the tree is no deeper than ceil(log2 P).
#include "tsubu/base/tree.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tsubu {
namespace {

TEST(tree, of_any_size) {
  for (pe_id pes = 1; pes <= 300; ++pes) {
    SCOPED_TRACE(pes);
    std::vector<pe_id> parent(static_cast<std::size_t>(pes), no_pe);
    for (pe_id pe = 0; pe < pes; ++pe) {
      int children = 0;
      pe_id larger = pes, below = 1;
      for_each_child(pe, pes, [&](pe_id child) {
        ++children;
        ASSERT_LT(child, pes);
        EXPECT_EQ(parent[static_cast<std::size_t>(child)], no_pe);
        parent[static_cast<std::size_t>(child)] = pe;
        EXPECT_EQ(tree_parent(child), pe);
        EXPECT_EQ(std::popcount(static_cast<std::uint32_t>(child ^ pe)), 1);
        EXPECT_LT(child, larger) << "the one with the larger subtree comes first";
        larger = child;
        below += tree_size(child, pes);
      });
      EXPECT_EQ(children, count_children(pe, pes));
      EXPECT_EQ(below, tree_size(pe, pes));
      // Its subtree: those from which the way to PE 0 leads through it.
      for (pe_id other = 0; other < pes; ++other) {
        int edges = 0;
        pe_id at = other;
        for (; at != pe && at != 0; at = tree_parent(at)) ++edges;
        EXPECT_EQ(at == pe, other >= pe && other < pe + tree_size(pe, pes));
        EXPECT_LE(edges, std::bit_width(static_cast<std::uint32_t>(pes - 1)));
      }
    }
    EXPECT_EQ(parent[0], no_pe);
    EXPECT_EQ(std::count(parent.begin(), parent.end(), no_pe), 1);
  }
}

}  // namespace
}  // namespace tsubu
