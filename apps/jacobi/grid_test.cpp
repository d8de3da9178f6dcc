// Promise: a block that is given its neighbours' rows does what the whole grid does, to the last bit. Method: grids cut
// into blocks, beside a plain loop over all of the grid.
#include "apps/jacobi/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace jacobi {
namespace {

// The rows after so many steps; around them the border, of which no value changes.
std::vector<std::vector<double>> by_plain_loop(std::size_t size, int steps) {
  std::vector<std::vector<double>> now(size + 2, std::vector<double>(size + 2));
  std::fill_n(now[0].begin() + 1, size, 1.0);
  for (int step = 0; step < steps; ++step) {
    std::vector<std::vector<double>> next = now;
    for (std::size_t i = 1; i <= size; ++i) {
      for (std::size_t j = 1; j <= size; ++j) {
        next[i][j] = 0.25 * ((now[i][j - 1] + now[i][j + 1]) + (now[i - 1][j] + now[i + 1][j]));
      }
    }
    now = next;
  }
  return now;
}

// Blocks of so many rows each, after so many steps in which each is given its neighbours' rows.
std::vector<grid_block> by_blocks(const std::vector<std::size_t>& rows, int steps) {
  const std::size_t size = std::accumulate(rows.begin(), rows.end(), std::size_t{0});
  std::vector<grid_block> blocks;
  blocks.reserve(rows.size());
  std::size_t first = 0;
  for (const std::size_t n : rows) {
    blocks.emplace_back(size, first, first + n);
    first += n;
  }
  for (int step = 0; step < steps; ++step) {
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
      blocks[b].set_below(blocks[b + 1].upper_row());
      blocks[b + 1].set_above(blocks[b].lower_row());
    }
    for (grid_block& block : blocks) block.step();
  }
  return blocks;
}

TEST(Grid, BlocksOfOneRowDoWhatAPlainLoopDoes) {
  for (const std::size_t size : {1U, 2U, 17U, 40U}) {
    for (const int steps : {0, 1, 2, 25}) {
      const auto expected = by_plain_loop(size, steps);
      const auto blocks = by_blocks(std::vector<std::size_t>(size, 1), steps);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
          ASSERT_EQ(blocks[i].upper_row()[j], expected[i + 1][j + 1]) << size << " " << steps << " " << i << " " << j;
        }
      }
    }
  }
}

TEST(Grid, BlocksOfAnySizeHaveTheDigestsOfTheWhole) {
  const std::vector<std::size_t> rows = {9, 1, 13};
  const std::vector<std::uint64_t> expected = reference_digests(23, 30);
  const auto blocks = by_blocks(rows, 30);
  std::size_t r = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = 0; i < rows[b]; ++i, ++r) EXPECT_EQ(blocks[b].digest(r), expected[r]) << r;
  }
}

// As if a neighbour's row had not come once.
TEST(Grid, AMissedRowChangesTheDigests) {
  grid_block upper(8, 0, 4), lower(8, 4, 8);
  for (int step = 0; step < 8; ++step) {
    upper.set_below(lower.upper_row());
    if (step != 6) lower.set_above(upper.lower_row());
    upper.step();
    lower.step();
  }
  const std::vector<std::uint64_t> expected = reference_digests(8, 8);
  EXPECT_NE(lower.digest(4), expected[4]);
}

}  // namespace
}  // namespace jacobi
