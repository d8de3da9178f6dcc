// Promise: parts are all rows, each once; of a grid whose numbers were shuffled, parts have as many entries as others
// within a tenth and need few rows of each other; more parts than rows, and one part, are no trouble.
// Built with METIS only. Method: a shuffled grid, of which each part's needs are counted.
#include "apps/npb/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "apps/npb/reorder.hpp"

namespace npb {
namespace {

// The points of a square grid, each with its neighbours, numbered at random.
csr shuffled_grid(std::int32_t width) {
  csr a;
  a.columns = std::int64_t{width} * width;
  for (std::int32_t point = 0; point < a.columns; ++point) {
    const auto add = [&](bool is_there, std::int32_t neighbour) {
      if (!is_there) return;
      a.column.push_back(neighbour);
      a.value.push_back(1);
    };
    const std::int32_t x = point % width, y = point / width;
    add(y > 0, point - width), add(x > 0, point - 1), add(true, point);
    add(x + 1 < width, point + 1), add(y + 1 < width, point + width);
    a.row_start.push_back(static_cast<std::int64_t>(a.column.size()));
  }
  std::vector<std::int32_t> order(static_cast<std::size_t>(a.columns));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  return reordered(a, order);
}

// How many rows of others a part's entries name.
std::size_t needs(const csr& whole, std::int64_t first, std::int64_t last) {
  const csr part = rows_of(whole, first, last);
  std::set<std::int32_t> others;
  for (const std::int32_t column : part.column) {
    if (column < first || column >= last) others.insert(column);
  }
  return others.size();
}

TEST(partition, cuts_a_shuffled_grid) {
  const csr mixed = shuffled_grid(40);
  const row_parts parts = partition_rows(mixed, 8);
  ASSERT_EQ(parts.first.size(), 9u);
  const csr cut = reordered(mixed, parts.order);
  ASSERT_EQ(cut.nonzeros(), mixed.nonzeros());
  const std::int64_t fair = cut.nonzeros() / 8;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::int64_t first = parts.first[i], last = parts.first[i + 1];
    const std::int64_t entries = rows_of(cut, first, last).nonzeros();
    EXPECT_GE(entries, fair - fair / 10) << "part " << i;
    EXPECT_LE(entries, fair + fair / 10) << "part " << i;
    // A square part of 14 x 14 has 56 neighbours; shuffled rows name nearly 800.
    EXPECT_LT(needs(cut, first, last), 90u) << "part " << i;
  }
}

TEST(partition, takes_all_rows_once_however_many_parts) {
  const csr mixed = shuffled_grid(5);
  for (const std::int32_t count : {1, 2, 7, 25, 26, 60}) {
    row_parts parts = partition_rows(mixed, count);
    ASSERT_EQ(parts.first.size(), static_cast<std::size_t>(count) + 1);
    EXPECT_EQ(parts.first.front(), 0);
    EXPECT_EQ(parts.first.back(), 25);
    EXPECT_TRUE(std::ranges::is_sorted(parts.first));
    std::ranges::sort(parts.order);
    for (std::int32_t row = 0; row < 25; ++row) EXPECT_EQ(parts.order[static_cast<std::size_t>(row)], row);
  }
}

}  // namespace
}  // namespace npb
