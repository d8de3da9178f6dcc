// Promise: for_each_in_flight runs the body once for each element, starts them in order, never has more than `width` in
// flight and as many as it may, and ends when all have, whatever is thrown.
#include "tsubu/task/for_each.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tsubu/task/run_local.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

struct watch {
  int running = 0;
  int most = 0;
  std::vector<int> started;
  std::vector<int> ended;
};

// Waits `turns` times.
task<void> visit(watch& seen, int element, int turns) {
  seen.started.push_back(element);
  seen.most = std::max(seen.most, ++seen.running);
  for (int i = 0; i < turns; ++i) co_await yield();
  --seen.running;
  seen.ended.push_back(element);
}

std::vector<int> numbers(int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  return all;
}

task<void> visit_all(watch& seen, int n, int width, int turns) {
  const std::vector<int> all = numbers(n);
  co_await for_each_in_flight(all, width, [&](int i) { return visit(seen, i, turns); });
  EXPECT_EQ(seen.running, 0);
}

TEST(for_each, width) {
  for (int width : {1, 2, 7, 100, 1000}) {
    for (int turns : {0, 1, 5}) {
      watch seen;
      run_local(visit_all(seen, 100, width, turns));
      EXPECT_EQ(seen.started, numbers(100));
      EXPECT_EQ(seen.most, turns == 0 ? 1 : std::min(width, 100));
      std::sort(seen.ended.begin(), seen.ended.end());
      EXPECT_EQ(seen.ended, numbers(100));
    }
  }
}

TEST(for_each, nothing) {
  watch seen;
  run_local(visit_all(seen, 0, 3, 1));
  EXPECT_TRUE(seen.started.empty());
}

// Promise: tasks that end in any order let as many others in.
TEST(for_each, random_lengths) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const int n = static_cast<int>(random() % 300), width = 1 + static_cast<int>(random() % 20);
    watch seen;
    run_local([](watch& s, std::mt19937_64& r, int count, int w) -> task<void> {
      co_await for_each_in_flight(std::views::iota(0, count), w,
                                  [&](int i) { return visit(s, i, static_cast<int>(r() % 6)); });
    }(seen, random, n, width));
    EXPECT_EQ(seen.started, numbers(n));
    EXPECT_EQ(seen.ended.size(), seen.started.size());
    EXPECT_LE(seen.most, width);
  }
}

// Promise: a long range does not grow the stack.
TEST(for_each, million_that_do_not_wait) {
  watch seen;
  run_local(visit_all(seen, 1'000'000, 10, 0));
  EXPECT_EQ(seen.ended.size(), 1'000'000U);
}

// Promise: the first exception comes out when those in flight have ended, and no more are started.
task<void> throw_at(watch& seen, int element, int first, int turns) {
  co_await visit(seen, element, turns);
  if (element >= first) throw std::runtime_error("element " + std::to_string(element));
}
TEST(for_each, exceptions) {
  for (int turns : {0, 3}) {
    watch seen;
    std::string what;
    run_local([](watch& s, std::string& w, int t) -> task<void> {
      const std::vector<int> all = numbers(1000);
      try {
        co_await for_each_in_flight(all, 8, [&](int i) { return throw_at(s, i, 20, t); });
      } catch (const std::runtime_error& e) {
        w = e.what();
      }
      EXPECT_EQ(s.running, 0);
    }(seen, what, turns));
    EXPECT_EQ(what, "element 20");
    EXPECT_GE(seen.started.size(), 21U);
    EXPECT_LE(seen.started.size(), 21U + 8U);
    EXPECT_EQ(seen.ended.size(), seen.started.size());
  }
}

// Promise: so does one of a body that throws before there is a task.
TEST(for_each, body_that_is_no_coroutine_throws) {
  watch seen;
  EXPECT_THROW(run_local([](watch& s) -> task<void> {
                 co_await for_each_in_flight(std::views::iota(0, 100), 8, [&](int i) {
                   if (i == 5) throw std::out_of_range("five");
                   return visit(s, i, 2);
                 });
               }(seen)),
               std::out_of_range);
  EXPECT_EQ(seen.ended.size(), 5U);
}

// Promise: a range and a body that own memory may be temporaries made before, elements may be moved and changed.
TEST(for_each, owning_ranges_and_bodies) {
  long sum = 0;
  run_local([](long& total) -> task<void> {
    std::vector<std::unique_ptr<int>> owned;
    for (int i = 0; i < 50; ++i) owned.push_back(std::make_unique<int>(i));
    auto add = [&total, factor = std::make_shared<int>(2)](std::unique_ptr<int>& element) -> task<void> {
      const auto mine = std::move(element);
      co_await yield();
      total += *factor * *mine;
    };
    co_await for_each_in_flight(std::move(owned), 4, std::move(add));
  }(sum));
  EXPECT_EQ(sum, 2 * 49 * 50 / 2);
}

TEST(for_each, nested_and_asleep) {
  int done = 0;
  run_local([](int& ended) -> task<void> {
    co_await for_each_in_flight(std::views::iota(0, 10), 3, [&](int i) {
      return for_each_in_flight(std::views::iota(0, i), 2, [&](int j) -> task<void> {
        co_await sleep_for(std::chrono::nanoseconds(100 * j));
        ++ended;
      });
    });
  }(done));
  EXPECT_EQ(done, 45);
}

TEST(for_each_death, no_width) {
  EXPECT_DEATH(run_local(for_each_in_flight(std::views::iota(0, 3), 0, [](int) -> task<void> { co_return; })),
               "for_each_in_flight with 0 in flight would never begin");
}

}  // namespace
}  // namespace tsubu
