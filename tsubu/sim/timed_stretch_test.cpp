// Promise: a timed stretch has what was done between the first PE's begin and the last PE's end, and no more; several
// add up; an end without a begin is nothing.
#include "tsubu/sim/timed_stretch.hpp"

#include <gtest/gtest.h>

namespace tsubu::sim {
namespace {

timed_stretch::state state_of(std::int64_t working_ps, std::int64_t link_ps) {
  timed_stretch::state s;
  s.of_pes.resize(2);
  s.of_pes[1].time.working = working_ps;
  s.of_pes[1].time.idle = 12345;  // not taken over: it is what is left
  s.of_pes[1].batches_sent = 7;
  s.links_taken_ps = {link_ps};
  return s;
}

TEST(timed_stretch, from_the_first_begin_to_the_last_end) {
  timed_stretch t;
  EXPECT_FALSE(t.ends(5)) << "none has begun";
  EXPECT_FALSE(t.there());
  ASSERT_TRUE(t.begins(100));
  t.opened(state_of(10, 3));
  EXPECT_FALSE(t.begins(110));
  EXPECT_FALSE(t.ends(400));
  ASSERT_TRUE(t.ends(390));
  t.closed(state_of(60, 8));
  ASSERT_TRUE(t.there());
  EXPECT_EQ(t.time_ps(), 300);
  EXPECT_EQ(t.of(1).time.working, 50);
  EXPECT_EQ(t.of(1).time.idle, 250);
  EXPECT_EQ(t.of(0).time.idle, 300);
  EXPECT_EQ(t.of(1).batches_sent, 0U);
  EXPECT_EQ(t.links_taken_ps(), std::vector<std::int64_t>{5});
}

TEST(timed_stretch, several_add_up) {
  timed_stretch t;
  for (const std::int64_t at : {0, 1000}) {
    ASSERT_TRUE(t.begins(at));
    t.opened(state_of(at, at));
    ASSERT_TRUE(t.ends(at + 10));
    t.closed(state_of(at + 4, at + 2));
  }
  EXPECT_EQ(t.time_ps(), 20);
  EXPECT_EQ(t.of(1).time.working, 8);
  EXPECT_EQ(t.links_taken_ps()[0], 4);
}

}  // namespace
}  // namespace tsubu::sim
