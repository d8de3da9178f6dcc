// Promise: a permutation for every n, another one for another seed, and without a bias. Method: all images of small
// and awkward n; how often each place takes each other one, over many seeds.
#include "apps/graph/random_permutation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace graph;

std::vector<vertex> images(std::uint64_t seed, vertex n) {
  const random_permutation permutation(seed, n);
  std::vector<vertex> found(n);
  for (vertex i = 0; i < n; ++i) found[i] = permutation(i);
  return found;
}

TEST(random_permutation, takes_every_place_once) {
  for (const vertex n : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 63U, 64U, 65U, 1000U, 100000U}) {
    std::vector<vertex> found = images(1, n);
    std::sort(found.begin(), found.end());
    for (vertex i = 0; i < n; ++i) ASSERT_EQ(found[i], i) << n;
  }
  const random_permutation large(1, 2147483647);
  EXPECT_LT(large(2147483646), 2147483647U);
}

TEST(random_permutation, depends_on_the_seed) {
  EXPECT_EQ(images(3, 1000), images(3, 1000));
  EXPECT_NE(images(3, 1000), images(4, 1000));
}

TEST(random_permutation, takes_each_place_to_each_other_equally_often) {
  constexpr vertex n = 7;
  constexpr int seeds = 7000;
  std::vector<int> count(n * n);
  for (int seed = 0; seed < seeds; ++seed) {
    const std::vector<vertex> found = images(static_cast<std::uint64_t>(seed), n);
    for (vertex i = 0; i < n; ++i) ++count[i * n + found[i]];
  }
  const double mean = seeds / static_cast<double>(n);
  for (const int c : count) EXPECT_LE(std::abs(c - mean), 5 * std::sqrt(mean));
}

}  // namespace
