#include "tsubu/task/future.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/after_yields.hpp"
#include "tsubu/task/run_local.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

// Promise: several tasks may wait; they resume in the order in which they began to, through the queue.
task<void> wait_and_note(future<std::string>& later, std::string& log, char letter) {
  log += co_await later;
  log += letter;
}
task<void> check_several() {
  promise<std::string> value;
  future<std::string> later = value.get_future();
  std::string log;
  scope all;
  for (const char letter : {'a', 'b', 'c'}) all.spawn(wait_and_note(later, log, letter));
  EXPECT_FALSE(later.ready());
  value.set_value("x");
  EXPECT_TRUE(later.ready());
  EXPECT_EQ(log, "");
  co_await all.join();
  EXPECT_EQ(log, "xaxbxc");
  const std::string& again = co_await later;
  EXPECT_EQ(again, "x");
  const std::string moved = co_await std::move(later);
  EXPECT_EQ(moved, "x");
  EXPECT_FALSE(later.valid());
}
TEST(future, several_waiters) { run_local(check_several()); }

task<void> check_move_only() {
  promise<std::unique_ptr<int>> value;
  auto later = value.get_future();
  value.set_value(std::make_unique<int>(4));
  const std::unique_ptr<int>& look = co_await later;
  EXPECT_EQ(*look, 4);
  const std::unique_ptr<int> taken = co_await std::move(later);
  EXPECT_EQ(*taken, 4);
}
TEST(future, move_only_value) { run_local(check_move_only()); }

task<void> break_it(promise<int> p) {
  co_await yield();
  (void)p;
}
task<void> check_errors() {
  promise<int> value;
  auto later = value.get_future();
  value.set_exception(std::make_exception_ptr(std::runtime_error("bad")));
  for (int i = 0; i < 2; ++i) {
    bool caught = false;
    try {
      co_await later;
    } catch (const std::runtime_error&) {
      caught = true;
    }
    EXPECT_TRUE(caught);
  }
  promise<int> doomed;
  auto never = doomed.get_future();
  spawn(break_it(std::move(doomed)));
  bool broken = false;
  try {
    co_await never;
  } catch (const broken_promise&) {
    broken = true;
  }
  EXPECT_TRUE(broken);
}
TEST(future, exceptions_and_broken_promise) { run_local(check_errors()); }

// Promise: the state lives as long as a promise, a future or a waiter needs it, and no longer.
task<void> take_last(future<int> later, int& got) { got = co_await std::move(later); }
TEST(future, state_is_freed) {
  const auto before = this_pool.statistics().live_blocks;
  {
    task_context context;
    const task_context_scope current(context);
    int got = 0;
    {
      promise<int> value;
      spawn(take_last(value.get_future(), got));
      value.set_value(5);
    }
    context.run_some(10);
    EXPECT_EQ(got, 5);
    const promise<int> unused;
    const future<int> also = promise<int>().get_future();
    EXPECT_TRUE(also.ready());
  }
  EXPECT_EQ(this_pool.statistics().live_blocks, before);
}

task<void> check_start() {
  future<int> soon = start(after(0, 1));
  EXPECT_TRUE(soon.ready());
  future<int> later = start(after(3, 2));
  EXPECT_FALSE(later.ready());
  future<int> bad = start(fail_after(1, 9));
  EXPECT_EQ(co_await later + co_await soon, 3);
  EXPECT_TRUE(bad.ready());
  int caught = 0;
  try {
    co_await std::move(bad);
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 9);
}
TEST(future, start) { run_local(check_start()); }

TEST(future_death, set_twice) {
  promise<int> p;
  p.set_value(1);
  EXPECT_EXIT(p.set_value(2), testing::ExitedWithCode(1), "set twice");
}
task<void> await_invalid() {
  future<int> none;
  co_await none;
}
TEST(future_death, invalid) { EXPECT_EXIT(run_local(await_invalid()), testing::ExitedWithCode(1), "empty future"); }

}  // namespace
}  // namespace tsubu
