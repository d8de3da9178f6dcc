// Promise: what is pushed is taken once and in order, in pieces of any size; a place stays where it is until it is
// taken, and may be emptied.
#include "tsubu/remote/messages/waiting_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

namespace tsubu::remote {
namespace {

TEST(waiting_line, random_pushes_and_takes) {
  std::mt19937_64 random(1);
  std::vector<int> things(100'000);
  waiting_line<int> line;
  std::deque<std::pair<int*, int**>> wanted;
  std::size_t next = 0, taken = 0;
  while (taken < things.size()) {
    for (std::size_t n = random() % 400; n > 0 && next < things.size(); --n, ++next) {
      wanted.emplace_back(&things[next], line.push(&things[next]));
      ASSERT_EQ(*wanted.back().second, wanted.back().first);
    }
    for (auto& [thing, place] : wanted) {
      if (random() % 20 == 0) *place = thing = nullptr;
    }
    EXPECT_EQ(line.size(), wanted.size());
    const std::size_t count = random() % (wanted.size() + 1);
    line.take(count, [&](int** items, std::size_t n) {
      EXPECT_GT(n, 0U);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(items[i], wanted.front().first);
        EXPECT_EQ(items + i, wanted.front().second);
        wanted.pop_front();
      }
    });
    taken += count;
    EXPECT_EQ(line.taken(), taken);
    EXPECT_EQ(line.pushed(), next);
  }
  EXPECT_EQ(line.size(), 0U);
}

// Promise: many at a time are pushed as they would be one by one.
TEST(waiting_line, many_pushed_at_a_time) {
  std::mt19937_64 random(2);
  std::vector<int> things(20'000);
  std::vector<int*> all(things.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = &things[i];
  waiting_line<int> line;
  std::size_t pushed = 0, taken = 0;
  while (taken < all.size()) {
    const std::size_t more = std::min<std::size_t>(random() % 500, all.size() - pushed);
    line.push(&all[pushed], more);
    pushed += more;
    if (pushed < all.size()) line.push(all[pushed++]);
    EXPECT_EQ(line.pushed(), pushed);
    line.take(random() % (line.size() + 1), [&](int** items, std::size_t n) {
      EXPECT_TRUE(std::equal(items, items + n, &all[taken]));
      taken += n;
    });
  }
}

TEST(waiting_line, its_memory_goes_back) {
  int thing = 0;
  const std::ptrdiff_t before = this_pool.statistics().live_blocks;
  {
    waiting_line<int> line;
    for (int i = 0; i < 1000; ++i) line.push(&thing);
    EXPECT_GT(this_pool.statistics().live_blocks, before + 5);
    line.take(1000, [](int**, std::size_t) {});
    EXPECT_LE(this_pool.statistics().live_blocks, before + 1);
    line.push(&thing);
  }
  EXPECT_EQ(this_pool.statistics().live_blocks, before);
}

}  // namespace
}  // namespace tsubu::remote
