// Promise: the queue gives back what it was given, in order and once each, through growing, shrinking and closing.
#include "tsubu/task/ready_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

namespace tsubu {
namespace {

// Numbers as items: the queue looks at none.
ready_item item(std::uintptr_t number) { return ready_item::from_word(number * 8); }

TEST(ready_queue, gives_items_back_in_order) {
  std::mt19937 random(1);
  ready_queue queue;
  std::deque<ready_item> expected;
  std::uintptr_t next = 1;
  for (int round = 0; round < 2000; ++round) {
    for (auto n = random() % 600; n > 0; --n, ++next) {
      if (!queue.push(item(next))) queue.push_slowly(item(next));
      expected.push_back(item(next));
    }
    auto most = random() % 600;
    while (most > 0 && !queue.empty()) {
      if (random() % 2 == 0) {
        ASSERT_EQ(queue.front(), expected.front());
        queue.pop_front();
        expected.pop_front();
        --most;
        continue;
      }
      const auto [begin, end] = queue.front_row(static_cast<int>(most));
      ASSERT_LT(begin, end);
      ASSERT_LE(static_cast<std::size_t>(end - begin), most);
      ASSERT_TRUE(std::equal(begin, end, expected.begin()));
      queue.take_until(end);
      expected.erase(expected.begin(), expected.begin() + (end - begin));
      most -= static_cast<unsigned long>(end - begin);
    }
    ASSERT_EQ(queue.empty(), expected.empty());
    ASSERT_LE(static_cast<std::size_t>(queue.count_near()), expected.size());
    ASSERT_EQ(queue.count_near() == 0, expected.empty());
  }
}

TEST(ready_queue, refuses_items_while_it_is_closed) {
  ready_queue queue;
  queue.push_slowly(item(1));
  queue.pop_front();
  queue.close();
  EXPECT_TRUE(queue.full());
  EXPECT_FALSE(queue.push(item(2)));
  EXPECT_TRUE(queue.empty());
  queue.open();
  EXPECT_TRUE(queue.push(item(3)));
  EXPECT_EQ(queue.front(), item(3));
}

}  // namespace
}  // namespace tsubu
