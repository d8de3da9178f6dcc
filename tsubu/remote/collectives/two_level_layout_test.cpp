// Promise: every row has all columns, each post in it held by one of its members, its own place by each; a short row's
// members share its posts out evenly; rings of rows and columns have each post once. For every number of members up to
// 70, and large ones, in rows of any width.
#include "tsubu/remote/collectives/two_level_layout.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace tsubu::remote {
namespace {

void check(pe_id size, pe_id columns) {
  SCOPED_TRACE(std::to_string(size) + " members in rows of " + std::to_string(columns));
  const two_level_layout rows(size, columns);
  EXPECT_LE(rows.columns(), size);
  pe_id members = 0;
  for (pe_id row = 0; row < rows.rows(); ++row) {
    EXPECT_GT(rows.width(row), 0);
    EXPECT_TRUE(row + 1 == rows.rows() || rows.width(row) == rows.columns()) << "only the last one is short";
    members += rows.width(row);
  }
  EXPECT_EQ(members, size);
  std::vector<std::vector<int>> held(static_cast<std::size_t>(rows.rows()),
                                     std::vector<int>(static_cast<std::size_t>(rows.columns())));
  for (pe_id rank = 0; rank < size; ++rank) {
    const pe_id row = rows.row_of(rank);
    EXPECT_EQ(rows.at(row, rows.column_of(rank)), rank);
    EXPECT_TRUE(rows.is_place(row, rows.column_of(rank)));
    pe_id posts = 0;
    rows.for_each_post(rank, [&](pe_id column) {
      EXPECT_EQ(rows.at(row, column), rank);
      EXPECT_EQ(rows.is_place(row, column), posts == 0);
      ++held[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      ++posts;
      const ring along = ring::column_of(rows, rank, column);
      EXPECT_EQ(along.size(), rows.rows());
      EXPECT_EQ(along.rank_at(along.place()), rank);
    });
    EXPECT_LE(posts, (rows.columns() - 1) / rows.width(row) + 1);
    const ring along = ring::row_of(rows, rank);
    EXPECT_EQ(along.size(), rows.width(row));
    EXPECT_EQ(along.rank_at(along.place()), rank);
    for (const pe_id distance : {pe_id{0}, along.size() - 1})
      EXPECT_EQ(along.place_after(distance), (along.place() + distance) % along.size());
    std::set<pe_id> others;
    for (pe_id place = 0; place < along.size(); ++place) others.insert(along.rank_at(place));
    EXPECT_EQ(others.size(), static_cast<std::size_t>(along.size()));
  }
  for (const auto& row : held) {
    for (const int count : row) EXPECT_EQ(count, 1);
  }
}

TEST(two_level_layout, have_every_column_in_every_row) {
  for (pe_id size = 1; size <= 70; ++size) {
    for (const pe_id columns : {1, 2, 3, 7, 8, 64}) check(size, columns);
  }
  for (const pe_id size : {127, 128, 1000, 1025}) check(size, 64);
}

}  // namespace
}  // namespace tsubu::remote
