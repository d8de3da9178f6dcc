// Promise: the summary is Graph500's. Method: values computed by hand.
#include "apps/bfs/summary.hpp"

#include <gtest/gtest.h>

namespace {

TEST(summary, of_times) {
  const bfs::summary s = bfs::summarise({4, 1, 3, 2});
  EXPECT_EQ(s.quartiles, (std::array<double, 5>{1, 1.75, 2.5, 3.25, 4}));
  EXPECT_DOUBLE_EQ(s.mean, 2.5);
  EXPECT_DOUBLE_EQ(s.deviation, 1.2909944487358056);
}

TEST(summary, of_rates) {
  const bfs::summary s = bfs::summarise_rates({1, 2, 4});
  EXPECT_EQ(s.quartiles, (std::array<double, 5>{1, 1.5, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(s.mean, 12.0 / 7);
  EXPECT_NEAR(s.deviation, 0.7935601, 1e-6);
}

TEST(summary, of_one_value) {
  EXPECT_EQ(bfs::summarise({7}).quartiles, (std::array<double, 5>{7, 7, 7, 7, 7}));
  EXPECT_EQ(bfs::summarise({7}).deviation, 0);
  EXPECT_EQ(bfs::summarise_rates({7}).mean, 7);
}

}  // namespace
