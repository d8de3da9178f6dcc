#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tsubu/parallel/item_store.hpp"
#include "tsubu/parallel/range_store.hpp"

namespace tsubu::parallel {
namespace {

std::int64_t size_of(const std::vector<index_range>& ranges) {
  std::int64_t size = 0;
  for (const index_range& r : ranges) size += r.size();
  return size;
}

TEST(range_store, takes_grains_from_the_end) {
  range_store s(10);
  s.add({0, 25});
  EXPECT_EQ(s.take().first, 15);
  EXPECT_EQ(s.take().first, 5);
  const index_range rest = s.take();
  EXPECT_EQ(rest.first, 0);
  EXPECT_EQ(rest.last, 5);
  EXPECT_TRUE(s.empty());
}

TEST(range_store, shares_half_from_the_start_in_whole_grains) {
  range_store s(10);
  s.add({0, 100});
  const auto shared = s.share(2);
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_EQ(shared[0].first, 0);
  EXPECT_EQ(shared[0].last, 50);
  EXPECT_EQ(s.size(), 50);
}

TEST(range_store, keeps_the_last_grain) {
  range_store s(10);
  s.add({0, 19});
  EXPECT_TRUE(s.share(2).empty());
  EXPECT_EQ(s.size(), 19);
}

TEST(range_store, no_index_is_lost_or_doubled) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    range_store s(1 + random() % 7);
    std::vector<int> seen(300);
    s.add({0, 100});
    s.add({100, 101});
    s.add({101, 101});
    s.add({101, 300});
    while (!s.empty()) {
      std::vector<index_range> taken;
      const std::int64_t before = s.size();
      if (random() % 2 == 0) {
        taken.push_back(s.take());
      } else {
        taken = s.share(2 + random() % 5);
      }
      for (const index_range& r : taken) {
        ASSERT_GT(r.size(), 0);
        for (std::int64_t i = r.first; i < r.last; ++i) ++seen[static_cast<std::size_t>(i)];
      }
      ASSERT_EQ(before - s.size(), size_of(taken));
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 300);
  }
}

TEST(item_store, runs_the_newest_and_shares_the_oldest) {
  item_store<int> s;
  for (int i = 0; i < 100; ++i) s.add(i);
  s.begin_turn();
  EXPECT_EQ(s.take(), 99);
  const std::vector<int> shared = s.share(4);
  ASSERT_EQ(shared.size(), 24u);  // of the 99 that were passed over
  EXPECT_EQ(shared.front(), 0);
  EXPECT_EQ(shared.back(), 23);
  EXPECT_EQ(s.size(), 75u);
}

TEST(item_store, shares_one_of_a_path_that_grows) {
  item_store<int> s;
  for (int i = 0; i < 8; ++i) s.add(i);
  s.begin_turn();
  s.add(8);
  EXPECT_EQ(s.share(2), std::vector<int>{0});
}

// As where nodes have four children: three of them lie there for each height, and the oldest ones share a parent.
TEST(item_store, shares_a_quarter_of_a_wide_path_that_grows) {
  item_store<int> s;
  for (int i = 0; i < 13; ++i) s.add(i);
  s.begin_turn();
  s.add(13);
  EXPECT_EQ(s.share(2), (std::vector<int>{0, 1, 2}));
}

// Items that were given leave room that is used again, and those behind them stay in their order.
TEST(item_store, no_item_is_lost_or_doubled) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    item_store<int> s;
    std::vector<int> seen(300);
    int added = 0;
    while (added < 300 || !s.empty()) {
      for (unsigned k = random() % 8; k > 0 && added < 300; --k) s.add(added++);
      s.begin_turn();
      if (!s.empty() && random() % 2 == 0) ++seen[static_cast<std::size_t>(s.take())];
      int before = -1;
      for (const int given : s.share(2 + random() % 3)) {
        ++seen[static_cast<std::size_t>(given)];
        EXPECT_LT(before, given);
        before = given;
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 300);
  }
}

TEST(item_store, shares_only_what_a_turn_has_passed_over) {
  item_store<int> s;
  s.add(0);
  s.add(1);
  EXPECT_TRUE(s.share(2).empty());
  s.begin_turn();
  s.take();
  s.take();
  s.add(2);
  EXPECT_TRUE(s.share(2).empty());
  EXPECT_EQ(s.size(), 1u);
}

TEST(item_store, keeps_the_one_that_is_run_next) {
  item_store<int> s;
  s.begin_turn();
  s.add(0);
  s.begin_turn();
  EXPECT_TRUE(s.share(2).empty());
  s.add(1);
  s.begin_turn();
  EXPECT_EQ(s.share(2), std::vector<int>{0});
  EXPECT_TRUE(s.share(2).empty());
}

}  // namespace
}  // namespace tsubu::parallel
