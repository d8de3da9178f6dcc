// Promise: the order names each row once; the reordered matrix is the same one under other numbers; entries of a grid
// whose numbers were shuffled come as near to the diagonal as the grid is wide. Method: grids, shuffled by a seed, also
// of several parts; products with a vector under both numberings.
#include "apps/npb/reorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace npb {
namespace {

// Points of a grid of that width and height, each with its neighbours; rows of entries 1, 2, ..
csr grid(std::int32_t width, std::int32_t height) {
  csr a;
  a.columns = width * height;
  double value = 0;
  for (std::int32_t y = 0; y < height; ++y) {
    for (std::int32_t x = 0; x < width; ++x) {
      const auto add = [&](std::int32_t to_x, std::int32_t to_y) {
        if (to_x < 0 || to_x >= width || to_y < 0 || to_y >= height) return;
        a.column.push_back(to_y * width + to_x);
        a.value.push_back(++value);
      };
      add(x, y - 1), add(x - 1, y), add(x, y), add(x + 1, y), add(x, y + 1);
      a.row_start.push_back(static_cast<std::int64_t>(a.column.size()));
    }
  }
  return a;
}

std::vector<std::int32_t> shuffled(std::int64_t n, unsigned seed) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

TEST(reorder, finds_the_width_of_a_shuffled_grid) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const csr mixed = reordered(grid(7, 40), shuffled(280, seed));
    ASSERT_GT(bandwidth(mixed), 100) << "seed " << seed;
    EXPECT_LE(bandwidth(reordered(mixed, reverse_cuthill_mckee(mixed))), 10) << "seed " << seed;
  }
}

TEST(reorder, keeps_the_matrix) {
  const csr a = reordered(grid(9, 11), shuffled(99, 3));
  const std::vector<std::int32_t> order = reverse_cuthill_mckee(a);
  const csr b = reordered(a, order);
  ASSERT_EQ(b.nonzeros(), a.nonzeros());
  std::vector<double> x(99), x_of_b(99), y(99), y_of_b(99);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 17);
  for (std::size_t k = 0; k < order.size(); ++k) x_of_b[k] = x[static_cast<std::size_t>(order[k])];
  spmv(a, x, y);
  spmv(b, x_of_b, y_of_b);
  for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(y_of_b[k], y[static_cast<std::size_t>(order[k])]);
}

TEST(reorder, takes_every_part) {
  csr apart;  // rows of their own, and an edge
  apart.columns = 4;
  apart.column = {0, 1, 3, 2, 1, 3};
  apart.value = {1, 1, 1, 1, 1, 1};
  apart.row_start = {0, 1, 3, 4, 6};
  std::vector<std::int32_t> order = reverse_cuthill_mckee(apart);
  EXPECT_EQ(bandwidth(reordered(apart, order)), 1);
  std::ranges::sort(order);
  EXPECT_EQ(order, (std::vector<std::int32_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace npb
