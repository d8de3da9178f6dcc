#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "tests/after_yields.hpp"
#include "tsubu/task/run_local.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/when_any.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

using namespace std::chrono_literals;

task<void> nothing_after(int yields) {
  for (int i = 0; i < yields; ++i) co_await yield();
}

// --- when_all ---

task<void> check_all() {
  auto three = co_await when_all(after(2, 1), nothing_after(1), start(after(5, 3)));
  EXPECT_EQ(std::get<0>(three), 1);
  EXPECT_EQ(std::get<2>(three), 3);

  std::vector<task<int>> tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(after((i * 7) % 5, i));
  const std::vector<int> all = co_await when_all(std::move(tasks));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);

  std::vector<task<void>> nothings;
  for (int i = 0; i < 3; ++i) nothings.push_back(nothing_after(i));
  co_await when_all(std::move(nothings));
  co_await when_all(std::vector<future<int>>());

  std::vector<future<int>> futures;
  for (int i = 0; i < 3; ++i) futures.push_back(start(after(3 - i, i)));
  const std::vector<int> in_order = co_await when_all(std::move(futures));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(in_order[static_cast<std::size_t>(i)], i);
}
TEST(when_all, tuple_and_vector) { run_local(check_all()); }

// Promise: waits for all even if one fails, then throws the first failure in argument order.
task<void> set_after(int yields, bool& done) {
  for (int i = 0; i < yields; ++i) co_await yield();
  done = true;
}
task<void> check_all_failures() {
  bool done = false;
  int caught = 0;
  try {
    co_await when_all(fail_after(4, 1), fail_after(1, 2), set_after(9, done));
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 1);
  EXPECT_TRUE(done);
  caught = 0;
  try {
    co_await when_all(after(1, 1), start(fail_after(2, 5)));
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 5);
}
TEST(when_all, failures) { run_local(check_all_failures()); }

// Promise: the parts run side by side, not one after the other.
task<void> ping_pong(std::string& log, char letter) {
  for (int i = 0; i < 3; ++i) {
    log += letter;
    co_await yield();
  }
}
task<void> check_concurrent() {
  std::string log;
  co_await when_all(ping_pong(log, 'a'), ping_pong(log, 'b'));
  EXPECT_EQ(log, "ababab");
}
TEST(when_all, side_by_side) { run_local(check_concurrent()); }

// --- when_any ---

task<void> check_any() {
  std::vector<future<int>> futures;
  for (int i = 0; i < 5; ++i) futures.push_back(start(after(i == 3 ? 2 : 6, 10 * i)));
  auto first = co_await when_any(std::move(futures));
  EXPECT_EQ(first.index, 3u);
  EXPECT_EQ(first.value, 30);
  int sum = 0;
  for (future<int>& other : first.others)
    if (other.valid()) sum += co_await std::move(other);
  EXPECT_EQ(sum, 70);

  std::vector<future<int>> ready;
  ready.push_back(start(after(1, 1)));
  ready.push_back(start(after(0, 2)));
  auto at_once = co_await when_any(std::move(ready));
  EXPECT_EQ(at_once.index, 1u);

  std::vector<future<int>> failing;
  failing.push_back(start(after(5, 1)));
  failing.push_back(start(fail_after(1, 2)));
  int caught = 0;
  try {
    co_await when_any(std::move(failing));
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 2);
}
TEST(when_any, first_wins) { run_local(check_any()); }

// Promise: two that become ready before the waiter resumes wake it once.
task<void> check_any_twice() {
  promise<int> a;
  promise<int> b;
  std::vector<future<int>> futures;
  futures.push_back(a.get_future());
  futures.push_back(b.get_future());
  futures.push_back(b.get_future());
  future<any_result<int>> any = start(when_any(std::move(futures)));
  b.set_value(2);
  a.set_value(1);
  const auto first = co_await std::move(any);
  EXPECT_EQ(first.index, 1u);
  EXPECT_EQ(first.value, 2);
}
TEST(when_any, wakes_once) { run_local(check_any_twice()); }

// --- several of different kinds ---

task<void> check_mixed() {
  sync<int> given;
  future<int> mine = start(after(2, 7));
  const auto give = [](sync<int>& to) -> task<void> {
    co_await sleep_for(1ms);
    to.write(3);
  };
  // A temporary that cannot be moved, an lvalue that is looked at, and a task.
  const auto [read, looked_at, slept, done] = co_await when_all(given.read(), mine, sleep_for(1ms), give(given));
  EXPECT_EQ(read, 3);
  EXPECT_EQ(looked_at, 7);
  EXPECT_EQ(co_await std::move(mine), 7);
  static_assert(std::is_same_v<decltype(slept), const std::monostate>);
}
TEST(when_all, takes_whatever_can_be_awaited) { run_local(check_mixed()); }

task<std::string> text_after(int yields, std::string text) {
  for (int i = 0; i < yields; ++i) co_await yield();
  co_return text;
}

task<void> check_first_of_different() {
  promise<void> never;
  auto first = co_await when_any(start(after(9, 1)), text_after(2, "text"), never.get_future());
  EXPECT_EQ(first.index(), 1u);
  EXPECT_EQ(std::get<1>(first), "text");
  const auto none_waits = co_await when_any(nothing_after(0), after(1, 2));
  EXPECT_EQ(none_waits.index(), 0u);
  int caught = 0;
  try {
    co_await when_any(after(5, 1), fail_after(1, 2));
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 2);
  // What loses goes on, and nobody is told that it fails.
  const auto before = co_await when_any(after(1, 1), fail_after(2, 5));
  EXPECT_EQ(before.index(), 0u);
  co_await nothing_after(9);
}
TEST(when_any, of_different_kinds) { run_local(check_first_of_different()); }

// --- within ---

task<int> slept(std::chrono::milliseconds time, int value) {
  co_await sleep_for(time);
  co_return value;
}
task<void> check_within() {
  // The clock wakes sleepers in order, however late it is.
  EXPECT_EQ(co_await within(20ms, slept(1ms, 4)), 4);
  EXPECT_EQ(co_await within(1ms, slept(20ms, 4)), std::nullopt);
  EXPECT_EQ(co_await within(0ms, after(0, 4)), 4);
  EXPECT_EQ(co_await within(0ms, after(1, 4)), std::nullopt);
  EXPECT_TRUE((co_await within(1h, nothing_after(1))).has_value());
  promise<int> given;
  EXPECT_EQ(co_await within(1ms, given.get_future()), std::nullopt);
  given.set_value(1);  // nobody waits any more
  int caught = 0;
  try {
    co_await within(1h, fail_after(1, 6));
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 6);
  EXPECT_EQ(co_await within(0ms, fail_after(2, 6)), std::nullopt);
  co_await sleep_for(25ms);  // until what went on has ended
}
TEST(within, gives_the_value_or_nothing) { run_local(check_within()); }

// Promise: the time that is not needed is not waited for.
TEST(within, leaves_no_timer) {
  task_context context;
  EXPECT_EQ(run_local(context, within(1h, after(1, 3))), 3);
  EXPECT_EQ(context.next_deadline_ns(), task_context::no_deadline);
}

// Promise: of timers in any order, removed or not, each that is left goes off, and none else; the next one is known.
task<void> sleep_and_note(std::int64_t ms, std::vector<std::int64_t>* woken) {
  co_await sleep_for(std::chrono::milliseconds(ms));
  woken->push_back(ms);
}
task<void> check_many_timers() {
  std::vector<std::int64_t> woken;
  std::deque<promise<int>> given;
  std::vector<future<std::optional<int>>> waits;
  scope sleepers;
  for (int round = 0; round < 3; ++round) {
    const std::size_t first = given.size();
    for (int i = 0; i < 500; ++i) {
      given.emplace_back();
      waits.push_back(start(within(std::chrono::milliseconds(1 + i * 37 % 100), given.back().get_future())));
    }
    sleepers.spawn(sleep_and_note(5 + round, &woken));
    // Every tenth is never given.
    for (std::size_t i = 0; i < 500; ++i) {
      const std::size_t which = i * 7 % 500;
      if (which % 10 != 0) given[first + which].set_value(1);
    }
  }
  int with_value = 0;
  for (auto& w : waits) with_value += (co_await std::move(w)).has_value() ? 1 : 0;
  EXPECT_EQ(with_value, 3 * 450);
  co_await sleepers.join();
  EXPECT_EQ(woken, (std::vector<std::int64_t>{5, 6, 7}));
}
TEST(within, many_timers_of_which_most_are_not_needed) {
  task_context context;
  run_local(context, check_many_timers());
  EXPECT_EQ(context.next_deadline_ns(), task_context::no_deadline);
}

// Promise: a value that comes in the moment in which the time is up is not lost.
task<void> check_both_at_once() {
  promise<int> given;
  future<std::optional<int>> waits = start(within(1ms, given.get_future()));
  const std::int64_t until_ns = this_task_context->now() + 1'000'000;
  while (this_task_context->now() <= until_ns) {
  }
  this_task_context->run_timers(this_task_context->now());  // it is readied, and does not yet run
  given.set_value(8);
  EXPECT_EQ(co_await waits, 8);
}
TEST(within, takes_what_comes_with_the_end_of_the_time) { run_local(check_both_at_once()); }

}  // namespace
}  // namespace tsubu
