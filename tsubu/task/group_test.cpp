// Promise: code belongs to the group it was started in, after every wait, in coroutines and fibers, whatever wakes it
// and in whatever order; a group's `waiting` is 0 exactly when none of its members waits, and it is told.
#include "tsubu/task/group.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "tsubu/task/fiber.hpp"
#include "tsubu/task/for_each.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/run_local.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

struct watched : task_group {
  watched() : task_group{0, [](task_group& self) noexcept { ++static_cast<watched&>(self).times_settled; }} {}
  int times_settled = 0;
  int alive = 0;
};

// What all members do: everything that waits, in a random order, and checks after each.
struct world {
  std::mt19937_64 random{1};
  tsubu::sync<int> box;
  long checks = 0;
  void check(watched* mine) {
    EXPECT_EQ(this_task_group, mine);
    ++checks;
  }
};

task<void> member(world& w, watched* mine, int depth);

task<int> child(world& w, watched* mine, int depth) {
  w.check(mine);
  co_await yield();
  w.check(mine);
  if (depth > 0) co_await member(w, mine, depth - 1);
  w.check(mine);
  co_return depth;
}

void in_a_fiber(world& w, watched* mine) {
  w.check(mine);
  fiber_yield();
  w.check(mine);
  wait(child(w, mine, 0));
  w.check(mine);
  w.box.write(1);
  wait(w.box.read());
  w.check(mine);
  wait(sleep_for(std::chrono::nanoseconds(w.random() % 3000)));
  w.check(mine);
}

task<void> member(world& w, watched* mine, int depth) {
  if (mine != nullptr) ++mine->alive;
  w.check(mine);
  for (int step = 0; step < 4; ++step) {
    switch (w.random() % 9) {
      case 0:
        co_await yield();
        break;
      case 1:
        co_await sleep_for(std::chrono::nanoseconds(w.random() % 5000));
        break;
      case 2:  // whoever writes next wakes the one that waited first, of whatever group
        w.box.write(1);
        co_await yield();
        co_await w.box.read();
        break;
      case 3: {
        if (depth == 0) break;
        scope all;
        for (int i = 0; i < 3; ++i) all.spawn(member(w, mine, depth - 1));
        co_await all.join();
        break;
      }
      case 4: {
        promise<int> p;
        future<int> later = p.get_future();
        spawn([](promise<int> set) -> task<void> {
          co_await yield();
          set.set_value(1);
        }(std::move(p)));
        co_await later;
        break;
      }
      case 5:
        co_await when_all(child(w, mine, 0), child(w, mine, 0));
        break;
      case 6:
        co_await run_fiber(in_a_fiber, std::ref(w), mine);
        break;
      case 7:
        if (depth > 0) spawn(member(w, mine, depth - 1));
        break;
      default:
        co_await for_each_in_flight(std::views::iota(0, 5), 2, [&w, mine](int) -> task<void> {
          co_await child(w, mine, 0);
          w.check(mine);
        });
    }
    w.check(mine);
  }
  if (mine != nullptr) --mine->alive;
}

void run_groups(std::unique_ptr<scheduler> (*order)(), std::uint64_t seed) {
  task_context context;
  if (order != nullptr) context.set_scheduler(order());
  world w;
  w.random.seed(seed);
  std::vector<std::unique_ptr<watched>> groups;
  for (int i = 0; i < 3; ++i) groups.push_back(std::make_unique<watched>());
  {
    const task_context_scope current(context);
    for (int i = 0; i < 12; ++i) {
      watched* mine = i % 4 == 3 ? nullptr : groups[static_cast<std::size_t>(i % 4)].get();
      const task_group_scope inside(mine);
      spawn(member(w, mine, 3));
      if (i % 2 == 0) spawn_fiber([&w, mine] { in_a_fiber(w, mine); });
    }
    EXPECT_EQ(this_task_group, nullptr);
    for (;;) {
      const bool ran = context.run_some(1 + static_cast<int>(w.random() % 20)) > 0;
      EXPECT_EQ(this_task_group, nullptr);
      for (const auto& group : groups) {
        if (group->alive > 0) {
          EXPECT_GT(group->waiting, 0U);
        }
      }
      if (!ran && context.next_deadline_ns() == task_context::no_deadline) break;
      if (!ran) context.run_timers(context.next_deadline_ns());
    }
  }
  for (const auto& group : groups) {
    EXPECT_EQ(group->alive, 0);
    EXPECT_EQ(group->waiting, 0U);
    EXPECT_GE(group->times_settled, 1);
  }
  EXPECT_TRUE(context.nothing_waits());
  EXPECT_GT(w.checks, 100);
}

TEST(group, random_members) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run_groups(nullptr, seed);
    run_groups([] { return make_scheduler("lifo"); }, seed);
    run_groups([] { return make_scheduler("priority"); }, seed);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tsubu
