#include "tsubu/task/fiber.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tsubu/task/future.hpp"
#include "tsubu/task/run_local.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

task<int> later(int x) {
  co_await yield();
  co_return x;
}
task<int> at_once(int x) { co_return x; }
task<int> fails(bool wait_first) {
  if (wait_first) co_await yield();
  throw std::runtime_error("in the task");
}

// Promise: wait() is co_await for plain functions: results, references and exceptions, ready or not.
int plain(int x) { return x + wait(later(1)) + wait(at_once(2)); }
task<void> check_wait() {
  EXPECT_FALSE(in_fiber());
  EXPECT_EQ(co_await run_fiber(plain, 10), 13);
  const std::string text = co_await run_fiber([](std::string s) { return s + "!"; }, std::string("moved in"));
  EXPECT_EQ(text, "moved in!");
  const int caught = co_await run_fiber([] {
    EXPECT_TRUE(in_fiber());
    int n = 0;
    for (const bool wait_first : {false, true}) {
      try {
        wait(fails(wait_first));
      } catch (const std::runtime_error&) {
        ++n;
      }
    }
    return n;
  });
  EXPECT_EQ(caught, 2);
}
TEST(fiber, wait) { run_local(check_wait()); }

task<void> check_exception() {
  bool caught = false;
  try {
    co_await run_fiber([] {
      fiber_yield();
      throw std::runtime_error("out of the fiber");
    });
  } catch (const std::runtime_error&) {
    caught = true;
  }
  EXPECT_TRUE(caught);
}
TEST(fiber, exceptions_cross) { run_local(check_exception()); }

// Promise: everything that can be awaited can be waited for, and fibers share the queue with tasks.
task<void> write_later(tsubu::sync<int>& box) {
  co_await yield();
  box.write(4);
}
task<void> check_all_waits() {
  tsubu::sync<int> box;
  promise<int> value;
  future<int> result = value.get_future();
  oneshot<int> one;
  scope all;
  all.spawn(run_fiber([&] {
    EXPECT_EQ(wait(box.peek()), 4);
    EXPECT_EQ(wait(box.read()), 4);
    const int& look = wait(result);
    EXPECT_EQ(look, 5);
    EXPECT_EQ(wait(std::move(result)), 5);
    EXPECT_EQ(wait(one), 6);
    wait(sleep_for(std::chrono::milliseconds(1)));
    wait(yield());
  }));
  co_await yield();
  spawn(write_later(box));
  co_await yield();
  co_await yield();
  value.set_value(5);
  co_await yield();
  one.set_value(6);
  co_await all.join();
}
TEST(fiber, all_waits) { run_local(check_all_waits()); }

// An awaitable that knows nothing of fibers.
class foreign {
 public:
  explicit foreign(std::coroutine_handle<>& to) : to_(to) {}
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> h) const { to_ = h; }
  int await_resume() const { return 8; }

 private:
  std::coroutine_handle<>& to_;
};
task<void> check_foreign() {
  std::coroutine_handle<> handle;
  scope all;
  all.spawn(run_fiber([&] { EXPECT_EQ(wait(foreign(handle)), 8); }));
  while (!handle) co_await yield();
  this_task_context->ready(handle);
  co_await all.join();
}
TEST(fiber, foreign_awaitables) { run_local(check_foreign()); }

// Promise: fibers and coroutines take turns in one queue.
task<void> letters(std::string& log, char letter) {
  for (int i = 0; i < 3; ++i) {
    co_await yield();
    log += letter;
  }
}
task<void> check_turns() {
  std::string log;
  const auto fiber_letters = [&log](char letter) {
    return run_fiber([&log, letter] {
      for (int i = 0; i < 3; ++i) {
        log += letter;
        fiber_yield();
      }
    });
  };
  scope all;
  all.spawn(letters(log, 'a'));
  all.spawn(fiber_letters('B'));
  all.spawn(fiber_letters('C'));
  all.spawn(letters(log, 'd'));
  co_await all.join();
  EXPECT_EQ(log, "aBCdaBCdaBCd");
}
TEST(fiber, share_the_queue) { run_local(check_turns()); }

// Promise: jumps from fiber to fiber count against the budget of run_some.
TEST(fiber, budget) {
  task_context context;
  const task_context_scope current(context);
  int switches = 0;
  bool stop = false;
  for (int i = 0; i < 3; ++i) {
    spawn_fiber([&] {
      while (!stop) {
        ++switches;
        fiber_yield();
      }
    });
  }
  EXPECT_EQ(context.run_some(1000), 1000);
  EXPECT_EQ(switches, 1000);
  stop = true;
  context.run_some(1000);
  EXPECT_TRUE(context.empty());

  stop = false;  // alone
  spawn_fiber([&] {
    while (!stop) {
      ++switches;
      fiber_yield();
    }
  });
  EXPECT_EQ(context.run_some(100), 100);
  EXPECT_EQ(switches, 1100);
  stop = true;
  context.run_some(100);
  EXPECT_TRUE(context.empty());
}

// Promise: a fiber may wait while it handles an exception: the others' exceptions do not mix with it.
task<void> check_handlers() {
  scope all;
  for (int i = 0; i < 10; ++i) {
    all.spawn(run_fiber([i] {
      for (int k = 0; k < 10; ++k) {
        try {
          throw i * 100 + k;
        } catch (int thrown) {
          fiber_yield();
          EXPECT_EQ(thrown, i * 100 + k);
          wait(later(k));
          int again = -1;
          try {
            throw;
          } catch (int same) {
            again = same;
          }
          EXPECT_EQ(again, i * 100 + k);
        }
        EXPECT_EQ(std::uncaught_exceptions(), 0);
      }
    }));
  }
  co_await all.join();
}
TEST(fiber, wait_in_a_handler) { run_local(check_handlers()); }

// Promise: thousands of fibers, whose stacks are reused; deep stacks when asked for.
task<void> check_many() {
  long sum = 0;
  for (int round = 0; round < 3; ++round) {
    scope all;
    for (int i = 0; i < 1000; ++i) {
      all.spawn(run_fiber([&sum, i] {
        for (int k = 0; k < 5; ++k) fiber_yield();
        sum += wait(later(i));
      }));
    }
    co_await all.join();
  }
  EXPECT_EQ(sum, 3 * 499'500);
}
TEST(fiber, many) { run_local(check_many()); }

int recurse(int n) {
  volatile char frame[512] = {};
  frame[n % 512] = 1;
  if (n == 0) {
    fiber_yield();
    return frame[0];
  }
  return recurse(n - 1) + frame[n % 512];
}
task<void> check_deep() {
  oneshot<int> result;
  spawn_fiber([&] { result.set_value(recurse(1000)); }, 2 << 20);
  EXPECT_EQ(co_await result, 1001);
}
TEST(fiber, stack_size) { run_local(check_deep()); }

// Promise: a task that a fiber starts nests no deeper than the fiber's stack allows.
task<int> depth(int n) {
  if (n == 0) co_return 0;
  co_return 1 + co_await depth(n - 1);
}
task<void> check_depth() {
  EXPECT_EQ(co_await run_fiber([] { return wait(depth(100'000)); }), 100'000);
}
TEST(fiber, nested_tasks) { run_local(check_depth()); }

// Promise: the waiting list shows the fiber's own line.
TEST(fiber, wait_location) {
  task_context context;
  const task_context_scope current(context);
  tsubu::sync<int> box;
  unsigned line = 0;
  spawn_fiber([&] {
    line = __LINE__ + 1;
    wait(box.read());
  });
  context.run_some(10);
  int waiting = 0;
  context.for_each_waiting([&](const wait_record& record) {
    ++waiting;
    EXPECT_STREQ(record.what, "sync");
    EXPECT_EQ(record.where.line(), line);
    EXPECT_NE(std::string(record.where.file_name()).find("fiber_test.cpp"), std::string::npos);
  });
  EXPECT_EQ(waiting, 1);
  box.write(1);
  context.run_some(10);
}

std::exception_ptr uncaught;
TEST(fiber, uncaught_exception) {
  task_context context;
  context.on_uncaught = [](std::exception_ptr error) { uncaught = std::move(error); };
  const task_context_scope current(context);
  spawn_fiber([] { throw 4; });
  context.run_some(10);
  EXPECT_THROW(std::rethrow_exception(std::exchange(uncaught, nullptr)), int);
}

TEST(fiber_death, wait_outside) {
  tsubu::sync<int> box;
  EXPECT_EXIT(wait(box.read()), testing::ExitedWithCode(1), "outside a fiber.*run_fiber");
}
// Promise: a coroutine that a fiber started must use co_await, wherever it happens to run.
task<void> wrongly_waits() {
  EXPECT_FALSE(in_fiber());
  wait(later(1));
  co_return;
}
TEST(fiber_death, wait_in_a_coroutine_of_a_fiber) {
  EXPECT_EXIT(run_local(run_fiber([] { wait(wrongly_waits()); })), testing::ExitedWithCode(1), "outside a fiber");
}

void overflow(volatile char* above, int times) {
  volatile char frame[4096];
  frame[0] = *above;
  if (times > 0) overflow(frame, times - 1);
  frame[1] = 0;
}
TEST(fiber_death, overflow_hits_the_guard_page) {
  EXPECT_DEATH(run_local(run_fiber([] {
                 char c = 0;
                 overflow(&c, 1'000'000);
               })),
               "");
}

}  // namespace
}  // namespace tsubu
