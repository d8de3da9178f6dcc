// Promise: tasks that fetch inside an open fetch_group take turns, the oldest first, at most `width` of them before the
// next one starts; none is lost, whatever it waits for; and what a group must not keep goes into the ready queue.
#include "tsubu/task/fetch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tsubu/task/run_local.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

constexpr int width = static_cast<int>(fetch_group::width);
const int somewhere = 0;

struct record {
  std::vector<int> turns;  // who ran, in order
  int under_way = 0;
  int most_under_way = 0;
  int ended = 0;
};

task<void> visit(record& r, int name, int fetches) {
  r.most_under_way = std::max(r.most_under_way, ++r.under_way);
  r.turns.push_back(name);
  for (int i = 0; i < fetches; ++i) {
    co_await fetch(&somewhere);
    r.turns.push_back(name);
  }
  --r.under_way;
  ++r.ended;
}

// Lets what is in the ready queue end.
task<void> drain(record& r, int wanted) {
  for (int turns = 0; r.ended < wanted && turns < 100'000; ++turns) co_await yield();
  EXPECT_EQ(r.ended, wanted);
}

class fetch_turns : public testing::Test {
 protected:
  task_context context;
  const task_context_scope here{context};
  record r;
  int ready() const { return context.ready_now(); }
};

TEST_F(fetch_turns, oldest_first_and_no_more_than_the_width) {
  constexpr int count = 5 * width;
  {
    fetch_group turns;
    for (int i = 0; i < count; ++i) {
      spawn(visit(r, i, 3));
      turns.make_room();
      EXPECT_LT(r.under_way, width);
    }
    EXPECT_EQ(ready(), 0);
    EXPECT_EQ(r.ended, count - (width - 1));
  }
  EXPECT_EQ(r.most_under_way, width);
  EXPECT_EQ(ready(), width - 1) << "what is left goes on in the ready queue";
  run_local(context, drain(r, count));
  EXPECT_EQ(r.ended, count);
  // All started in order, and after each other's first turns the first ones had theirs.
  std::vector<int> starts, expected;
  std::vector<bool> seen(static_cast<std::size_t>(count));
  for (const int name : r.turns) {
    if (!seen[static_cast<std::size_t>(name)]) starts.push_back(name);
    seen[static_cast<std::size_t>(name)] = true;
  }
  for (int i = 0; i < count; ++i) expected.push_back(i);
  EXPECT_EQ(starts, expected);
  for (int i = 0; i < width; ++i) EXPECT_EQ(r.turns[static_cast<std::size_t>(width + i)], i);
}

TEST_F(fetch_turns, the_last_ones_take_turns_in_the_ready_queue) {
  {
    fetch_group turns;
    for (int i = 0; i < 3; ++i) {
      spawn(visit(r, i, 2));
      turns.make_room();
    }
    EXPECT_EQ(r.turns, (std::vector<int>{0, 1, 2}));
  }
  run_local(context, drain(r, 3));
  EXPECT_EQ(r.turns, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

task<void> spin_until(record& r, const bool& flag) {
  for (; !flag; ++r.under_way) co_await fetch(&somewhere);
  ++r.ended;
}

TEST_F(fetch_turns, those_that_wait_for_a_later_one_do_not_keep_it_from_starting) {
  bool flag = false;
  {
    fetch_group turns;
    for (int i = 0; i < 3 * width; ++i) {
      spawn(spin_until(r, flag));
      turns.make_room();
    }
    flag = true;
  }
  EXPECT_LT(r.under_way, 1'000'000) << "turns in vain";
  run_local(context, drain(r, 3 * width));
}

task<void> start_many(record& r, int count) {
  for (int i = 0; i < count; ++i) spawn(visit(r, i, 1));
  co_await fetch(&somewhere);
}

TEST_F(fetch_turns, a_task_that_starts_more_than_there_is_room_for) {
  {
    fetch_group turns;
    spawn(start_many(r, 10 * width));
    EXPECT_GT(ready(), 0);
    turns.make_room();
  }
  run_local(context, drain(r, 10 * width));
}

task<void> fetch_and_wait(record& r, tsubu::sync<int>& box) {
  co_await fetch(&somewhere);
  r.turns.push_back(co_await box.read());
  co_await fetch(&somewhere);
  ++r.ended;
}

TEST_F(fetch_turns, one_that_waits_for_something_else_leaves) {
  tsubu::sync<int> box;
  {
    fetch_group turns;
    for (int i = 0; i < 2 * width; ++i) {
      spawn(fetch_and_wait(r, box));
      turns.make_room();
    }
    EXPECT_EQ(r.ended, 0);
  }
  context.run_some(2 * width);
  for (int i = 0; i < 2 * width; ++i) {
    box.write(i);
    context.run_some(4);
  }
  run_local(context, drain(r, 2 * width));
}

int thrown = 0;
task<void> fetch_and_throw() {
  co_await fetch(&somewhere);
  throw 1;
}

TEST_F(fetch_turns, an_exception_goes_where_those_of_all_tasks_go) {
  thrown = 0;
  context.on_uncaught = [](std::exception_ptr) { ++thrown; };
  {
    fetch_group turns;
    for (int i = 0; i < 2 * width; ++i) {
      spawn(fetch_and_throw());
      turns.make_room();
    }
    EXPECT_EQ(thrown, width + 1);
  }
  context.run_some(2 * width);
  EXPECT_EQ(thrown, 2 * width);
}

TEST_F(fetch_turns, members_of_a_task_group_stay_in_the_ready_queue) {
  static int settled = 0;
  settled = 0;
  task_group members{0, [](task_group&) noexcept { ++settled; }};
  {
    fetch_group turns;
    {
      const task_group_scope inside(&members);
      spawn(visit(r, 1, 2));
    }
    EXPECT_EQ(ready(), 1);
    EXPECT_EQ(members.waiting, 1U);
    turns.make_room();
  }
  run_local(context, drain(r, 1));
  EXPECT_EQ(settled, 1);
}

TEST_F(fetch_turns, another_scheduler_keeps_its_order) {
  context.set_scheduler(make_scheduler("lifo"));
  {
    fetch_group turns;
    for (int i = 0; i < 2 * width; ++i) {
      spawn(visit(r, i, 1));
      turns.make_room();
    }
  }
  context.run_some(2 * width);
  std::vector<int> expected;
  for (int i = 0; i < 2 * width; ++i) expected.push_back(i);
  for (int i = 2 * width; i-- > 0;) expected.push_back(i);
  EXPECT_EQ(r.turns, expected);
}

// Another's group would be destroyed first, or the one above it.
task<void> wait_with_an_open_group(const bool& flag) {
  fetch_group turns;
  while (!flag) co_await yield();
}

TEST_F(fetch_turns, who_opens_a_group_does_not_wait_meanwhile) {
  const auto two_of_them = [this] {
    bool first = false;
    bool second = false;
    spawn(wait_with_an_open_group(first));
    spawn(wait_with_an_open_group(second));
    first = true;
    context.run_some(4);
  };
  EXPECT_EXIT(two_of_them(), testing::ExitedWithCode(1), "waits while its fetch_group is open");
}

TEST_F(fetch_turns, with_no_group_it_is_a_yield) {
  spawn(visit(r, 1, 1));
  spawn(visit(r, 2, 1));
  EXPECT_EQ(ready(), 2);
  run_local(context, drain(r, 2));
  EXPECT_EQ(r.turns, (std::vector<int>{1, 2, 1, 2}));
}

}  // namespace
}  // namespace tsubu
