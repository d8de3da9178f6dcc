// Promise: every row has one owner, rows are assembled in order whatever the order of their entries, and the digests
// of the PEs' parts add up to that of the whole. Method: the same entries, dealt to 1, 2, 3 and 8 PEs.
#include "apps/graph/sparse_rows.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace graph;

TEST(cyclic, each_row_has_one_owner_and_one_place_there) {
  for (const vertex pes : {1U, 2U, 3U, 8U}) {
    for (const vertex rows : {0U, 1U, 7U, 8U, 9U, 100U}) {
      vertex all = 0;
      std::set<vertex> seen;
      for (vertex pe = 0; pe < pes; ++pe) {
        const cyclic share{pe, pes};
        all += share.count(rows);
        for (vertex local = 0; local < share.count(rows); ++local) {
          const vertex row = share.global(local);
          EXPECT_LT(row, rows);
          EXPECT_TRUE(seen.insert(row).second);
          EXPECT_EQ(share.owner(row), static_cast<int>(pe));
          EXPECT_EQ(share.local(row), local);
        }
      }
      EXPECT_EQ(all, rows);
    }
  }
}

TEST(sparse_rows, are_sorted_and_repeats_become_one) {
  const std::vector<entry> entries{{3, 2, 5}, {1, 4, 1}, {3, 0, 7}, {1, 4, 2}, {3, 2, 4}};
  const sparse_rows sum = assemble({1, 2}, 5, 6, entries, repeats::add);
  EXPECT_EQ(sum.start, (std::vector<std::uint64_t>{0, 1, 3}));
  EXPECT_EQ(sum.column, (std::vector<vertex>{4, 0, 2}));
  EXPECT_EQ(sum.value, (std::vector<double>{3, 7, 9}));
  const sparse_rows least = assemble({1, 2}, 5, 6, entries, repeats::keep_least);
  EXPECT_EQ(least.column, sum.column);
  EXPECT_EQ(least.value, (std::vector<double>{1, 7, 4}));
  EXPECT_EQ(least.columns_of(1).size(), 2U);
}

TEST(sparse_rows, take_entries_one_by_one) {
  sparse_rows made{.share = {0, 1}, .rows = 3, .columns = 9, .start = {0}, .column = {}, .value = {}};
  std::vector<std::uint64_t> next{2, 0, 1};
  make_room(made, next);
  EXPECT_EQ(made.start, (std::vector<std::uint64_t>{0, 2, 2, 3}));
  EXPECT_EQ(next, (std::vector<std::uint64_t>{0, 2, 2}));
  made.column = {7, 3, 5};
  made.value = {1, 2, 3};
  sort_rows(made);
  EXPECT_EQ(made.column, (std::vector<vertex>{3, 7, 5}));
  EXPECT_EQ(made.value, (std::vector<double>{2, 1, 3}));
}

TEST(sparse_rows, digests_add_up_and_tell_entries_apart) {
  std::vector<entry> entries;
  for (vertex i = 0; i < 200; ++i) entries.push_back({i * 7 % 50, i * 11 % 40, i * 0.5});
  const std::uint64_t whole = digest(assemble({0, 1}, 50, 40, entries, repeats::add));
  for (const vertex pes : {2U, 3U, 8U}) {
    std::uint64_t sum = 0;
    for (vertex pe = 0; pe < pes; ++pe) {
      std::vector<entry> own;
      for (const entry& e : entries)
        if (e.row % pes == pe) own.push_back(e);
      sum += digest(assemble({pe, pes}, 50, 40, own, repeats::add));
    }
    EXPECT_EQ(sum, whole);
  }
  EXPECT_NE(entry_digest({1, 2, 3}), entry_digest({2, 1, 3}));
  EXPECT_NE(entry_digest({1, 2, 3}), entry_digest({1, 2, 4}));
}

}  // namespace
