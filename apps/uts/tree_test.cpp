#include "apps/uts/tree.hpp"

#include <gtest/gtest.h>

namespace {

// The figures are the ones published with the benchmark; the largest tree is left to who has seconds.
TEST(Tree, SamplesHaveWhatIsKnownOfThem) {
  for (const uts::sample& one : uts::samples()) {
    if (one.known.nodes > 10'000'000) continue;
    EXPECT_TRUE(uts::search(one.tree) == one.known) << one.tree.name;
  }
}

TEST(Tree, DepthIsTheHeightOfTheLastNodes) {
  uts::shape small = uts::find_sample("T1")->tree;
  small.depth = 3;
  EXPECT_EQ(uts::search(small).height, 3);
  EXPECT_EQ(uts::find_sample("T9"), nullptr);
}

}  // namespace
