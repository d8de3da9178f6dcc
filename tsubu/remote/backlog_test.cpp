// Promises: a PE is behind above a limit, until it has caught up with half of it; who sends to it on the same PE has no
// room meanwhile. It gives way when it idles, and after turns in which nothing was executed, each time more patiently;
// never while it catches up.
#include "tsubu/remote/backlog.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/interleaved_job.hpp"

namespace tsubu::remote {
namespace {

class backlog_of_a_pe : public testing::Test {
 protected:
  bool has_room() { return job_[0].messages.has_credit(0); }
  int turns_until_it_gives_way() {
    int turns = 1;
    while (!b.gives_way(true)) ++turns;
    return turns;
  }
  test::interleaved_job job_{1, 1};
  backlog& b = job_[0].behind;
};

TEST_F(backlog_of_a_pe, is_behind_until_half_is_caught_up) {
  b.begins_to_wait(backlog::most_bytes);
  EXPECT_FALSE(b.behind());
  EXPECT_TRUE(has_room());
  b.begins_to_wait(1);
  EXPECT_TRUE(b.behind());
  EXPECT_FALSE(has_room());
  b.ends_to_wait(backlog::most_bytes / 2);
  EXPECT_TRUE(b.behind());
  EXPECT_FALSE(has_room());
  b.ends_to_wait(1);
  EXPECT_FALSE(b.behind());
  EXPECT_TRUE(has_room());
  EXPECT_EQ(b.bytes(), backlog::most_bytes / 2);
  EXPECT_EQ(b.times_behind(), 1U);
  b.ends_to_wait(backlog::most_bytes / 2);
}

TEST_F(backlog_of_a_pe, lets_as_much_more_wait_when_there_is_nothing_to_run) {
  b.begins_to_wait(4 * backlog::most_bytes);
  EXPECT_TRUE(b.gives_way(false));
  EXPECT_TRUE(b.behind());
  EXPECT_TRUE(has_room());
  b.begins_to_wait(backlog::most_bytes);
  EXPECT_TRUE(has_room());
  b.begins_to_wait(1);
  EXPECT_FALSE(has_room());
  EXPECT_FALSE(b.gives_way(true));
  EXPECT_EQ(b.times_given_way(), 1U);
  EXPECT_EQ(b.times_behind(), 1U);
}

TEST_F(backlog_of_a_pe, gives_way_ever_later_when_nothing_is_executed) {
  b.begins_to_wait(4 * backlog::most_bytes);
  int patience = backlog::least_patience;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(turns_until_it_gives_way(), patience);
    patience = std::min(2 * patience, backlog::most_patience);
  }
}

TEST_F(backlog_of_a_pe, does_not_give_way_while_it_catches_up) {
  b.begins_to_wait(4 * backlog::most_bytes);
  for (int i = 0; i < 1000; ++i) {
    b.ends_to_wait(100);
    EXPECT_FALSE(b.gives_way(true));
  }
  EXPECT_EQ(turns_until_it_gives_way(), backlog::least_patience - 1) << "the last turn was in vain, too";
}

}  // namespace
}  // namespace tsubu::remote
