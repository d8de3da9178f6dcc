// Promise: no more is on the way than the budget has, but for one message that is larger; who waits goes on in turn.
#include "apps/kv/message_budget.hpp"

#include <gtest/gtest.h>

#include "tsubu/task/run_local.hpp"
#include "tsubu/task/yield.hpp"

namespace kv {
namespace {

using namespace tsubu;

TEST(message_budget, holds_no_more_than_it_may) {
  message_budget all(100);
  EXPECT_TRUE(all.take(60));
  EXPECT_TRUE(all.take(40));
  EXPECT_FALSE(all.take(1));
  all.give_back(60);
  EXPECT_TRUE(all.take(60));
  all.give_back(100);
  EXPECT_TRUE(all.take(1000));  // nothing else is on the way
  EXPECT_FALSE(all.take(0));
  all.give_back(1000);
  EXPECT_EQ(all.used_bytes(), 0U);
}

task<void> wait_for(message_budget& in, std::size_t bytes, int& taken) {
  co_await in.wait(bytes);
  ++taken;
}

task<void> serve_in_turn() {
  message_budget all(100);
  EXPECT_TRUE(all.take(100));
  int large = 0, small = 0;
  spawn(wait_for(all, 80, large));
  spawn(wait_for(all, 30, small));
  all.give_back(50);
  co_await yield();
  EXPECT_EQ(large + small, 0);  // the second does not overtake
  EXPECT_FALSE(all.take(10));   // nor does who has not waited
  all.give_back(50);
  co_await yield();
  EXPECT_EQ(large, 1);
  EXPECT_EQ(small, 0);
  EXPECT_EQ(all.used_bytes(), 80U);
  all.give_back(80);
  co_await yield();
  EXPECT_EQ(small, 1);
  EXPECT_EQ(all.used_bytes(), 30U);
}
TEST(message_budget, serves_in_turn) { run_local(serve_in_turn()); }

}  // namespace
}  // namespace kv
