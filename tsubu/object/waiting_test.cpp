// Promise: each of the parts that keep what waits does as its header says: whose turn it is, messages before their
// object, calls of reentrant methods, bytes that wait, and what is said of objects that are gone.
// Method: each part alone, with objects that are headers only.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/interleaved_job.hpp"
#include "tsubu/object/early.hpp"
#include "tsubu/object/mailboxes.hpp"
#include "tsubu/object/reentrant.hpp"
#include "tsubu/object/run_list.hpp"
#include "tsubu/object/runner.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu::objects {
namespace {

struct thing : object_base {
  thing() : object_base(unregistered{}) {}
};
using things = std::vector<std::unique_ptr<thing>>;

things make(int n) {
  things all;
  for (int i = 0; i < n; ++i) all.push_back(std::make_unique<thing>());
  return all;
}
bool is_runnable(const object_base& o) { return o.tsubu_header.is(object_base::header::runnable); }

TEST(run_list, the_newest_runs_first_and_what_is_in_front_before_it) {
  run_list list;
  const things t = make(5);
  list.add(*t[0]);
  list.add(*t[1]);
  list.add_newest(*t[2]);
  list.add_in_front(*t[3]);
  list.add_in_front(*t[4]);
  EXPECT_EQ(list.size(), 5U);
  for (const int i : {3, 4, 2, 0, 1}) EXPECT_EQ(list.take_next(), t[static_cast<std::size_t>(i)].get()) << i;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.take_next(), nullptr);
}

TEST(run_list, an_object_says_whether_it_is_listed) {
  run_list list;
  const things t = make(3);
  list.add(*t[0]);
  list.add_in_front(*t[1]);
  list.add_newest(*t[2]);
  EXPECT_TRUE(is_runnable(*t[0]) && is_runnable(*t[1]) && is_runnable(*t[2]));
  list.remove(*t[1]);
  EXPECT_FALSE(is_runnable(*t[1]));
  EXPECT_EQ(list.take_next(), t[2].get());
  EXPECT_FALSE(is_runnable(*t[2]));
  EXPECT_EQ(list.take_next(), t[0].get());
  EXPECT_FALSE(is_runnable(*t[0]));
}

// The newest come first for ever; yet the oldest has its turn.
TEST(run_list, the_oldest_has_its_turn) {
  run_list list;
  const things t = make(2);
  thing oldest;
  list.add(oldest);
  std::uint32_t turns = 0;
  for (list.add_newest(*t[0]); turns < 1000; ++turns) {
    object_base* const o = list.take_next();
    if (o == &oldest) break;
    list.add_newest(*o);
  }
  EXPECT_EQ(turns + 1, run_list::from_the_back);
}

TEST(run_list, takes_the_last_that_fits) {
  run_list list;
  const things t = make(4);
  for (const int i : {0, 1, 2}) list.add(*t[static_cast<std::size_t>(i)]);
  list.add_in_front(*t[3]);
  const auto not_the_last = [&t](const object_base& o) { return &o != t[2].get(); };
  EXPECT_EQ(list.take_last(not_the_last), t[1].get());
  EXPECT_EQ(list.take_last(not_the_last), t[0].get());
  EXPECT_EQ(list.take_last(not_the_last), t[3].get());
  EXPECT_EQ(list.take_last(not_the_last), nullptr);
  EXPECT_EQ(list.size(), 1U);
}

TEST(early_arrivals, are_kept_by_name_and_in_order) {
  early_arrivals early;
  const identity one(0, 1, 2, 0), next_generation(0, 1, 2, 1);
  EXPECT_TRUE(early.empty());
  mail a{}, b{}, c{};
  early.stand_in(one).tsubu_header.queue.push(a);
  early.stand_in(next_generation).tsubu_header.queue.push(b);
  object_base& again = early.stand_in(one);
  again.tsubu_header.queue.push(c);
  EXPECT_FALSE(again.tsubu_header.dormant()) << "nothing is executed by a stand-in";
  ASSERT_NE(early.name_of(again), nullptr);
  EXPECT_EQ(*early.name_of(again), one);
  message_queue came = early.take(one);
  EXPECT_EQ(&came.pop(), &a);
  EXPECT_EQ(&came.pop(), &c);
  EXPECT_TRUE(came.empty());
  EXPECT_TRUE(early.take(one).empty());
  EXPECT_FALSE(early.empty());
  thing unknown;
  EXPECT_EQ(early.name_of(unknown), nullptr);
}

TEST(mailboxes, are_too_full_above_the_limit_only) {
  test::interleaved_job job(1);
  remote::backlog& behind = job[0].behind;
  mailboxes waiting(100, behind);
  waiting.made(60, true);
  waiting.made(40, false);
  EXPECT_FALSE(waiting.too_full());
  waiting.made(1, false);
  EXPECT_TRUE(waiting.too_full());
  EXPECT_EQ(behind.bytes(), 41U) << "what is asked for is no backlog";
  waiting.freed(40, false);
  EXPECT_FALSE(waiting.too_full());
  EXPECT_EQ(waiting.waiting_bytes(), 61U);
}

TEST(reentrant_calls, an_object_is_entered_while_one_of_its_methods_waits) {
  reentrant_calls calls;
  thing o;
  const auto entered = [&o] { return o.tsubu_header.is(object_base::header::entered); };
  calls.one_waits(o);
  calls.one_waits(o);
  calls.one_ended(o);
  EXPECT_TRUE(entered());
  calls.one_ended(o);
  EXPECT_FALSE(entered());
}

TEST(reentrant_calls, are_taken_in_order_and_once) {
  reentrant_calls calls;
  thing one, other;
  const auto asked = [](const thing& o) { return o.tsubu_header.is(object_base::header::asked); };
  mail a{}, b{}, c{}, d{};
  calls.add(one, a);
  calls.add(other, b);
  calls.add(one, c);
  EXPECT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls.take_next().m, &a);
  EXPECT_TRUE(asked(one) && asked(other) && !one.tsubu_header.dormant());
  message_queue left = calls.take_of(one);
  EXPECT_EQ(&left.pop(), &c);
  EXPECT_TRUE(left.empty() && !asked(one));
  EXPECT_TRUE(calls.take_of(one).empty());
  calls.add(one, d);
  const auto second = calls.take_next();
  EXPECT_EQ(second.object, &other);
  EXPECT_EQ(second.m, &b);
  EXPECT_EQ(calls.take_next().m, &d) << "where the one stood that was taken with others";
  EXPECT_TRUE(calls.empty() && !asked(one) && !asked(other));
  EXPECT_EQ(calls.take_next().m, nullptr) << "where that stood";
}

// Work that is asked for any number of times is done once, and again while there is more.
TEST(runner, runs_until_there_is_no_more) {
  task_context context;
  const task_context_scope on_this_stack(context);
  int left = 3;
  runner r(
      [](void* n) {
        int& parts = *static_cast<int*>(n);
        return --parts > 0;
      },
      &left);
  EXPECT_TRUE(context.empty());
  r.schedule();
  r.schedule();
  while (!context.empty()) context.run_some(10);
  EXPECT_EQ(left, 0);
  left = 1;
  r.schedule();
  while (!context.empty()) context.run_some(10);
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace tsubu::objects
