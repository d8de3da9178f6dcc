#include "tsubu/task/scheduler.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "tsubu/task/context.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/oneshot.hpp"
#include "tsubu/task/run_local.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

using namespace std::chrono_literals;

// Each task writes its letter, yields, writes it again.
task<void> letters(std::string& log, char letter, int priority, int rounds) {
  set_priority(priority);
  for (int i = 0; i < rounds; ++i) {
    co_await yield();
    log += letter;
  }
}
task<std::string> interleave(std::vector<int> priorities, int rounds) {
  std::string log;
  scope all;
  for (std::size_t i = 0; i < priorities.size(); ++i)
    all.spawn(letters(log, static_cast<char>('a' + i), priorities[i], rounds));
  co_await all.join();
  co_return log;
}
std::string order_under(std::string_view name, std::vector<int> priorities, int rounds) {
  task_context context;
  if (!is_default_scheduler(name)) {
    auto order = make_scheduler(name);
    EXPECT_NE(order, nullptr) << name;
    context.set_scheduler(std::move(order));
  }
  return run_local(context, interleave(std::move(priorities), rounds));
}

TEST(scheduler, round_robin) { EXPECT_EQ(order_under("round-robin", {1, 2, 3}, 3), "abcabcabc"); }
TEST(scheduler, lifo) { EXPECT_EQ(order_under("lifo", {1, 2, 3}, 2), "ccbbaa"); }
TEST(scheduler, priority) {
  EXPECT_EQ(order_under("priority", {1, 3, 2}, 2), "bbccaa");
  EXPECT_EQ(order_under("priority", {1, 3, 3}, 2), "bcbcaa");  // equals in order of arrival
}

// Promise: the program's own scheduler is found by its name and used for everything.
int chosen = 0;
class biased final : public scheduler {
 public:
  void ready(ready_item item, int priority) override { items_.push_back({item, priority}); }
  choice next() override {
    ++chosen;
    const choice first = items_.front();
    items_.pop_front();
    return first;
  }
  bool empty() const override { return items_.empty(); }

 private:
  std::deque<choice> items_;
};
TEST(scheduler, registered_by_the_program) {
  register_scheduler("biased", [] { return std::unique_ptr<scheduler>(new biased); });
  const auto names = scheduler_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "biased"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "round-robin"), names.end());
  EXPECT_EQ(order_under("biased", {1, 2, 3}, 3), "abcabcabc");
  EXPECT_GE(chosen, 9);
}
TEST(scheduler, unknown_name) { EXPECT_EQ(make_scheduler("no such"), nullptr); }

// Promise: a task keeps its priority across yields, waits, sleeps, child tasks and fibers.
task<void> child_that_waits(tsubu::sync<int>& box) {
  co_await box.read();
  EXPECT_EQ(this_task_context->priority(), 7);
}
task<void> keeps_priority(tsubu::sync<int>& box, future<int>& later) {
  set_priority(7);
  co_await yield();
  EXPECT_EQ(this_task_context->priority(), 7);
  co_await child_that_waits(box);
  EXPECT_EQ(this_task_context->priority(), 7);
  co_await later;
  EXPECT_EQ(this_task_context->priority(), 7);
  co_await sleep_for(1ms);
  EXPECT_EQ(this_task_context->priority(), 7);
  co_await run_fiber([] {
    EXPECT_EQ(this_task_context->priority(), 7);
    fiber_yield();
    EXPECT_EQ(this_task_context->priority(), 7);
  });
  EXPECT_EQ(this_task_context->priority(), 7);
}
task<void> check_priorities() {
  set_priority(1);
  tsubu::sync<int> box;
  promise<int> value;
  future<int> later = value.get_future();
  scope all;
  all.spawn(keeps_priority(box, later));
  set_priority(1);
  for (int i = 0; i < 3; ++i) co_await yield();
  box.write(1);
  for (int i = 0; i < 3; ++i) co_await yield();
  value.set_value(1);
  co_await all.join();
}
TEST(scheduler, priority_follows_the_task) {
  task_context context;
  context.set_scheduler(make_scheduler("priority"));
  run_local(context, check_priorities());
}

// Promise: the ready queue keeps its order while it grows and shrinks over many blocks.
task<void> append(std::vector<int>& order, int i) {
  co_await yield();
  order.push_back(i);
}
task<void> check_long_queue() {
  for (const int n : {1, 254, 255, 256, 1000, 100'000}) {
    std::vector<int> order;
    scope all;
    for (int i = 0; i < n; ++i) all.spawn(append(order, i));
    co_await all.join();
    EXPECT_EQ(static_cast<int>(order.size()), n);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  }
}
TEST(ready_queue, keeps_order) { run_local(check_long_queue()); }

// Promise: run_some runs no more than its budget and says how many it ran; against a plain counter.
task<void> count(int& ran, int yields) {
  for (int i = 0; i < yields; ++i) {
    co_await yield();
    ++ran;
  }
}
TEST(ready_queue, budget) {
  const auto seed = static_cast<unsigned>(fresh_seed());
  SCOPED_TRACE("seed=" + std::to_string(seed));
  std::mt19937 random(seed);
  for (const char* order : {"round-robin", "lifo"}) {
    task_context context;
    if (!is_default_scheduler(order)) context.set_scheduler(make_scheduler(order));
    const task_context_scope current(context);
    int ran = 0;
    int total = 0;
    for (int i = 0; i < 300; ++i) {
      const int yields = static_cast<int>(random() % 20);
      total += yields;
      spawn(count(ran, yields));
    }
    int counted = 0;
    while (!context.empty()) {
      const int budget = static_cast<int>(random() % 700);
      const int before = counted;
      counted += context.run_some(budget);
      ASSERT_LE(counted - before, budget);
      ASSERT_EQ(counted, ran);
      if (counted - before < budget) {
        ASSERT_TRUE(context.empty());
      }
    }
    EXPECT_EQ(ran, total);
  }
}

task<void> run_nested() {
  this_task_context->run_some(1);
  co_return;
}
TEST(ready_queue_death, not_nested) {
  task_context context;
  const task_context_scope current(context);
  EXPECT_EXIT(
      {
        [](task_context& c) {
          spawn([]() -> task<void> {
            co_await yield();
            co_await run_nested();
          }());
          c.run_some(10);
        }(context);
      },
      testing::ExitedWithCode(1), "called by a task");
}

// --- the waiting list ---

task<void> wait_for_future(future<int>& later) { co_await later; }
task<void> wait_for_sync(tsubu::sync<int>& box) { co_await box.read(); }
task<void> wait_for_cell(oneshot<int>& reply) { co_await reply; }
task<void> wait_for_time() { co_await sleep_for(1ms); }
task<void> parent_of_waiter(tsubu::sync<int>& box) { co_await wait_for_sync(box); }
constexpr unsigned first_line = __LINE__ - 5;

TEST(waiting_list, says_what_and_where) {
  task_context context;
  const task_context_scope current(context);
  promise<int> value;
  future<int> later = value.get_future();
  tsubu::sync<int> box;
  const int which = 0;
  oneshot<int> reply("a reply from PE 3", &which);
  spawn(wait_for_future(later));
  spawn(wait_for_sync(box));
  spawn(wait_for_cell(reply));
  spawn(wait_for_time());
  spawn(parent_of_waiter(box));
  struct seen {
    std::string what;
    unsigned line;
    const void* object;
    bool operator==(const seen&) const = default;
  };
  const auto list = [&] {
    std::vector<seen> all;
    context.for_each_waiting([&](const wait_record& record) {
      EXPECT_NE(std::string_view(record.where.file_name()).find("scheduler_test.cpp"), std::string_view::npos);
      all.push_back({record.what, record.where.line(), record.object});
    });
    return all;
  };
  // A parent waits for no event of its own: its child is in the list.
  EXPECT_EQ(list(), (std::vector<seen>{{"future", first_line, later.state().get()},
                                       {"sync", first_line + 1, &box},
                                       {"a reply from PE 3", first_line + 2, &which},
                                       {"sleep", first_line + 3, nullptr},
                                       {"sync", first_line + 1, &box}}));
  EXPECT_FALSE(context.nothing_waits());
  box.write(1);
  box.write(2);
  reply.set_value(1);
  EXPECT_EQ(list().size(), 2u);
  value.set_value(1);
  context.run_timers(context.now() + 1'000'000'000);
  EXPECT_TRUE(context.nothing_waits());
  EXPECT_EQ(context.run_some(100), 6);  // five waiters, and the parent
  EXPECT_TRUE(context.empty());
}

TEST(waiting_list_death, deadlock_is_reported) {
  tsubu::sync<int> box;
  EXPECT_EXIT(run_local(wait_for_sync(box)), testing::ExitedWithCode(1),
              "deadlock.*\n.*sync at .*scheduler_test.cpp:" + std::to_string(first_line + 1));
}

// --- timers ---

std::int64_t fake_now = 0;
task<void> sleep_and_note(std::vector<int>& order, std::int64_t ns, int i) {
  co_await sleep_for(std::chrono::nanoseconds(ns));
  order.push_back(i);
}

// Promise: sleepers wake in order of their deadlines (equals: of their going to sleep), by the clock
// that the context was given, and never early.
TEST(timers, wake_in_order) {
  const auto seed = static_cast<unsigned>(fresh_seed());
  SCOPED_TRACE("seed=" + std::to_string(seed));
  std::mt19937 random(seed);
  task_context context;
  fake_now = 1000;
  context.set_clock([](void* now) { return *static_cast<std::int64_t*>(now); }, &fake_now);
  const task_context_scope current(context);
  EXPECT_EQ(context.next_deadline_ns(), task_context::no_deadline);
  std::vector<std::pair<std::int64_t, int>> expected;
  std::vector<int> order;
  for (int i = 0; i < 500; ++i) {
    const auto ns = static_cast<std::int64_t>(random() % 200) + 1;
    expected.emplace_back(fake_now + ns, i);
    spawn(sleep_and_note(order, ns, i));
  }
  std::sort(expected.begin(), expected.end());  // by deadline, then by number
  while (context.next_deadline_ns() != task_context::no_deadline) {
    fake_now = context.next_deadline_ns();
    EXPECT_EQ(fake_now, expected[order.size()].first);
    EXPECT_EQ(context.run_timers(fake_now - 1), 0);
    EXPECT_GT(context.run_timers(fake_now), 0);
    while (context.run_some(100) > 0) {
    }
  }
  ASSERT_EQ(order.size(), expected.size());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], expected[i].second);
}

task<void> sleep_twice() {
  const std::int64_t start = now_ns();
  co_await sleep_for(3ms);
  co_await sleep_for(0ms);
  co_await sleep_for(2ms);
  EXPECT_GE(now_ns() - start, 5'000'000);
}
TEST(timers, real_time) { run_local(sleep_twice()); }

}  // namespace
}  // namespace tsubu
