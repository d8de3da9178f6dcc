#include "tsubu/task/task.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tsubu/task/oneshot.hpp"
#include "tsubu/task/run_local.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

task<long> give(long x) { co_return x; }
task<long> give_later(long x) {
  co_await yield();
  co_return x;
}

// Promise: a loop of awaits does not grow the stack, whether or not the child waits.
task<long> sum_of(long n, bool later) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    if (later)
      sum += co_await give_later(i);
    else
      sum += co_await give(i);
  }
  co_return sum;
}
TEST(task, million_awaits) { EXPECT_EQ(run_local(sum_of(1'000'000, false)), 499'999'500'000); }
TEST(task, million_awaits_that_suspend) { EXPECT_EQ(run_local(sum_of(1'000'000, true)), 499'999'500'000); }

// Promise: nor do awaits nested a million deep.
task<long> depth(long n, bool later) {
  if (n == 0) {
    if (later) co_await yield();
    co_return 0;
  }
  co_return 1 + co_await depth(n - 1, later);
}
TEST(task, million_nested_awaits) { EXPECT_EQ(run_local(depth(1'000'000, false)), 1'000'000); }
TEST(task, million_nested_awaits_that_suspend) { EXPECT_EQ(run_local(depth(1'000'000, true)), 1'000'000); }

task<long> fail_at(long n) {
  if (n == 0) throw std::runtime_error("the bottom");
  co_return 1 + co_await fail_at(n - 1);
}
TEST(task, exception_through_many_tasks) { EXPECT_THROW(run_local(fail_at(10'000)), std::runtime_error); }

// Promise: spawns nested in each other do not grow the stack.
task<void> spawn_chain(long n, long& ended) {
  if (n > 0) spawn(spawn_chain(n - 1, ended));
  ++ended;
  co_return;
}
task<void> wait_for_chain(long n) {
  long ended = 0;
  spawn(spawn_chain(n, ended));
  while (ended <= n) co_await yield();
}
TEST(task, million_nested_spawns) { run_local(wait_for_chain(1'000'000)); }

// Promise: a task does nothing until it is awaited, then runs on its parent's stack until it waits.
task<void> note(std::string& log, const char* before, const char* after) {
  log += before;
  co_await yield();
  log += after;
}
task<void> check_laziness() {
  std::string log;
  task<void> lazy = note(log, "a", "b");
  EXPECT_EQ(log, "");
  spawn(note(log, "1", "2"));
  EXPECT_EQ(log, "1");
  co_await std::move(lazy);
  EXPECT_EQ(log, "1a2b");
}
TEST(task, starts_when_awaited) { run_local(check_laziness()); }

TEST(task, never_awaited_is_freed) {
  const auto before = this_pool.statistics().live_blocks;
  {
    const task<long> never = give(1);
  }
  EXPECT_EQ(this_pool.statistics().live_blocks, before);
}

// Promise: values, references, move-only values and exceptions reach the awaiter.
task<int&> refer(int& x) { co_return x; }
task<std::unique_ptr<int>> own(int x) {
  co_await yield();
  co_return std::make_unique<int>(x);
}
task<int> throw_text(bool later) {
  if (later) co_await yield();
  throw std::string("oops");
}
task<void> check_results() {
  int x = 1;
  int& same = co_await refer(x);
  EXPECT_EQ(&same, &x);
  const std::unique_ptr<int> owned = co_await own(7);
  EXPECT_EQ(*owned, 7);
  for (const bool later : {false, true}) {
    std::string caught;
    try {
      co_await throw_text(later);
    } catch (const std::string& text) {
      caught = text;
    }
    EXPECT_EQ(caught, "oops");
  }
}
TEST(task, results) { run_local(check_results()); }
TEST(task, result_of_run_local) {
  EXPECT_EQ(*run_local(own(3)), 3);
  EXPECT_THROW(run_local(throw_text(true)), std::string);
}

// Promise: parameters and locals die when the task ends, results when their owner does; nothing leaks.
struct counted {
  explicit counted(int& n) : alive(&n) { ++*alive; }
  counted(const counted& other) : alive(other.alive) { ++*alive; }
  ~counted() { --*alive; }
  int* alive;
};
task<counted> pass_on(counted c, bool later, bool fail) {
  const counted local = c;
  if (later) co_await yield();
  if (fail) throw 1;
  co_return c;
}
task<void> check_lifetimes() {
  int alive = 0;
  for (const bool later : {false, true}) {
    {
      const counted kept = co_await pass_on(counted(alive), later, false);
      EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
    try {
      co_await pass_on(counted(alive), later, true);
      ADD_FAILURE();
    } catch (int) {
    }
    EXPECT_EQ(alive, 0);
  }
}
TEST(task, lifetimes) {
  const auto before = this_pool.statistics().live_blocks;
  run_local(check_lifetimes());
  EXPECT_EQ(this_pool.statistics().live_blocks, before);
}

// Promise: a coroutine that never suspends takes one block, and gives it back at its end.
task<std::ptrdiff_t> count_inside() { co_return this_pool.statistics().live_blocks; }
task<void> count_blocks() {
  const auto before = this_pool.statistics().live_blocks;
  const auto inside = co_await count_inside();
  EXPECT_EQ(inside, before + 1);
  EXPECT_EQ(this_pool.statistics().live_blocks, before);
}
TEST(task, one_allocation) { run_local(count_blocks()); }

// Promise: a suspended task with four live words takes at most 160 bytes.
task<long> four_words(long a, long b, long c, long d, oneshot<long>& more) { co_return co_await more + a + b + c + d; }
task<long> four_words_asleep(long a, long b, long c, long d) {
  co_await sleep_for(std::chrono::nanoseconds(1));
  co_return a + b + c + d;
}
task<long> four_words_yielding(long a, long b, long c, long d) {
  co_await yield();
  co_return a + b + c + d;
}
TEST(task, frame_size) {
  if (pool::watched) GTEST_SKIP() << "sanitizers change frames";
#ifndef __OPTIMIZE__
  GTEST_SKIP() << "frames are larger without optimization";
#endif
  // The blocks of each class that a frame of unknown size may come from are told apart by being emptied:
  // a class is the frame's if the frame takes its only free block.
  const auto frame_bytes = [](auto make) {
    for (std::size_t bytes = 16;; bytes += 16) {
      void* block = this_pool.allocate(bytes);
      this_pool.free(block, bytes);
      auto made = make();
      const bool taken = static_cast<void*>(made.release().address()) == block;
      if (taken) return bytes;
    }
  };
  oneshot<long> more;
  EXPECT_LE(frame_bytes([&] { return four_words(1, 2, 3, 4, more); }), 160u);
  EXPECT_LE(frame_bytes([] { return four_words_asleep(1, 2, 3, 4); }), 160u);
  EXPECT_LE(frame_bytes([] { return four_words_yielding(1, 2, 3, 4); }), 128u);
}

// Promise: nothing preempts a task: one that spins keeps the others waiting.
task<void> spin_and_check(bool& other_ran) {
  for (int i = 0; i < 1'000'000; ++i) {
    co_await give(i);
    if (other_ran) ADD_FAILURE() << "the other task ran in between";
  }
}
task<void> set(bool& ran) {
  co_await yield();
  ran = true;
}
task<void> check_no_preemption() {
  bool other_ran = false;
  scope both;
  both.spawn(set(other_ran));  // ready from here on
  both.spawn(spin_and_check(other_ran));
  co_await both.join();
  EXPECT_TRUE(other_ran);
}
TEST(task, spinning_is_not_preempted) { run_local(check_no_preemption()); }

// Promise: an exception that leaves a spawned task goes to on_uncaught.
task<void> throws_later() {
  co_await yield();
  throw std::runtime_error("nobody cares");
}
task<void> spawn_thrower() {
  spawn(throws_later());
  co_await yield();
  co_await yield();
}
std::exception_ptr uncaught;
TEST(task, uncaught_exception) {
  task_context context;
  context.on_uncaught = [](std::exception_ptr error) { uncaught = std::move(error); };
  run_local(context, spawn_thrower());
  EXPECT_THROW(std::rethrow_exception(std::exchange(uncaught, nullptr)), std::runtime_error);
}
TEST(task_death, uncaught_exception_ends_the_job) {
  EXPECT_EXIT(run_local(spawn_thrower()), testing::ExitedWithCode(1), "std::runtime_error: nobody cares");
}

TEST(task_death, no_context) { EXPECT_EXIT(spawn(throws_later()), testing::ExitedWithCode(1), "outside a PE"); }
task<void> await_empty() {
  task<long> t = give(1);
  co_await std::move(t);
  co_await std::move(t);
}
TEST(task_death, awaited_twice) { EXPECT_EXIT(run_local(await_empty()), testing::ExitedWithCode(1), "empty task"); }

// --- scope ---

task<void> add_later(int& sum, int x, int yields) {
  for (int i = 0; i < yields; ++i) co_await yield();
  sum += x;
}
task<void> throw_after(int yields, int what) {
  for (int i = 0; i < yields; ++i) co_await yield();
  throw what;
}
task<void> check_scope() {
  int sum = 0;
  scope all;
  for (int i = 0; i < 100; ++i) all.spawn(add_later(sum, i, i % 7));
  co_await all.join();
  EXPECT_EQ(sum, 4950);

  all.spawn(throw_after(3, 1));
  all.spawn(throw_after(1, 2));
  all.spawn(add_later(sum, 50, 10));
  int caught = 0;
  try {
    co_await all.join();
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 2);  // the first in time
  EXPECT_EQ(sum, 5000);  // the others ran to their ends
}
TEST(scope, joins_all) { run_local(check_scope()); }

task<void> forget_to_join() {
  int sum = 0;
  scope all;
  all.spawn(add_later(sum, 1, 0));
  co_return;
}
TEST(scope_death, must_be_joined) {
  EXPECT_EXIT(run_local(forget_to_join()), testing::ExitedWithCode(1), "scope is destroyed before it is joined");
}

// --- oneshot ---

task<void> fill(oneshot<std::string>& to) {
  co_await yield();
  to.set_value("here");
}
task<void> check_oneshot() {
  oneshot<std::string> one;
  spawn(fill(one));
  EXPECT_FALSE(one.ready());
  EXPECT_EQ(co_await one, "here");
  oneshot<int> early;
  early.set_value(3);
  EXPECT_EQ(co_await early, 3);
  oneshot<void> failed;
  failed.set_exception(std::make_exception_ptr(5));
  int caught = 0;
  try {
    co_await failed;
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQ(caught, 5);
}
TEST(oneshot, value_and_exception) { run_local(check_oneshot()); }
TEST(oneshot_death, set_twice) {
  oneshot<int> one;
  one.set_value(1);
  EXPECT_EXIT(one.set_value(2), testing::ExitedWithCode(1), "set twice");
}

}  // namespace
}  // namespace tsubu
