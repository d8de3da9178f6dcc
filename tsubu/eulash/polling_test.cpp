#include "tsubu/eulash/polling.hpp"

#include <gtest/gtest.h>

namespace tsubu::placed {
namespace {

TEST(poll_pace, looks_soon_after_a_wait_and_then_twice_as_late_each_time) {
  constexpr std::int64_t ns_of_poll = 10;
  poll_pace pace;
  std::int64_t now = 1'000'000;
  int polls = pace.goes_on(now);
  for (int i = 0; i < 20; ++i) polls = pace.looks(now += polls * ns_of_poll);
  EXPECT_NEAR(polls * ns_of_poll, poll_pace::longest_ns, ns_of_poll);
  polls = pace.goes_on(now += 5'000'000);  // a wait says nothing of how long the loop takes
  EXPECT_NEAR(polls * ns_of_poll, poll_pace::shortest_ns, ns_of_poll);
  polls = pace.looks(now += polls * ns_of_poll);
  EXPECT_NEAR(polls * ns_of_poll, 2 * poll_pace::shortest_ns, ns_of_poll);
}

TEST(poll_pace, follows_loops_that_are_longer_than_the_last_one) {
  poll_pace pace;
  std::int64_t now = 0;
  int polls = pace.goes_on(now);
  for (int i = 0; i < 20; ++i) polls = pace.looks(now += polls * std::int64_t{10});
  for (int i = 0; i < 20; ++i) polls = pace.looks(now += polls * std::int64_t{1'000'000});
  EXPECT_EQ(polls, 1);
}

TEST(poll_pace, knows_of_loops_that_count_many_at_a_time) {
  poll_pace pace;
  std::int64_t now = 0;
  constexpr std::int64_t at_a_time = 4096;
  int polls = pace.goes_on(now);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t rounds = (polls + at_a_time - 1) / at_a_time * at_a_time;
    polls = pace.looks(now += 2 * rounds, rounds - polls);
  }
  EXPECT_EQ(polls, poll_pace::longest_ns / 2);
}

}  // namespace
}  // namespace tsubu::placed
