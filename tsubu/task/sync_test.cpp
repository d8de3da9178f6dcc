#include "tsubu/task/sync.hpp"
#include "tsubu/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tsubu/task/run_local.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

task<void> write_later(tsubu::sync<int>& box, int first, int count) {
  for (int i = 0; i < count; ++i) {
    co_await yield();
    box.write(first + i);
  }
}
task<void> check_basics() {
  tsubu::sync<int> box;
  EXPECT_EQ(box.try_read(), std::nullopt);
  box.write(1);
  box.write(2);
  EXPECT_EQ(box.size(), 2u);
  EXPECT_EQ(co_await box.peek(), 1);
  EXPECT_EQ(co_await box.read(), 1);
  EXPECT_EQ(box.try_read(), 2);
  EXPECT_TRUE(box.empty());
  spawn(write_later(box, 10, 2));
  EXPECT_EQ(co_await box.peek(), 10);
  EXPECT_EQ(box.size(), 1u);
  EXPECT_EQ(co_await box.read(), 10);
  EXPECT_EQ(co_await box.read(), 11);
}
TEST(sync, read_write_peek) { run_local(check_basics()); }

task<void> check_move_only() {
  tsubu::sync<std::unique_ptr<int>> box;
  box.write(std::make_unique<int>(3));
  const std::unique_ptr<int> got = co_await box.read();
  EXPECT_EQ(*got, 3);
}
TEST(sync, move_only) { run_local(check_move_only()); }

// Promise: a waiting reader keeps its turn: a later try_read() does not take its value.
task<void> read_one(tsubu::sync<int>& box, int& to) { to = co_await box.read(); }
TEST(sync, waiting_reader_is_served_first) {
  task_context context;
  const task_context_scope current(context);
  tsubu::sync<int> box;
  int got = 0;
  spawn(read_one(box, got));
  box.write(5);
  EXPECT_EQ(box.try_read(), std::nullopt);
  context.run_some(10);
  EXPECT_EQ(got, 5);
}

// Promise: values leave in the order of writing; waiting readers and peekers are served in the order
// in which they began to wait.
// Method: random operations against a model that is two plain queues.
struct expectation {
  int asker;
  int value;
  bool operator==(const expectation&) const = default;
};
task<void> ask(tsubu::sync<int>& box, bool peek, int asker, std::vector<expectation>& got) {
  const int value = peek ? co_await box.peek() : co_await box.read();
  got.push_back({asker, value});
}
TEST(sync, random_against_model) {
  const auto seed = static_cast<unsigned>(fresh_seed());
  SCOPED_TRACE("seed=" + std::to_string(seed));
  std::mt19937 random(seed);
  task_context context;
  const task_context_scope current(context);
  tsubu::sync<int> box;

  struct asked {
    int asker;
    bool peek;
  };
  std::deque<int> values;
  std::deque<asked> askers;
  std::vector<expectation> expected;
  const auto serve = [&] {
    while (!values.empty() && !askers.empty()) {
      expected.push_back({askers.front().asker, values.front()});
      if (!askers.front().peek) values.pop_front();
      askers.pop_front();
    }
  };

  std::vector<expectation> got;
  int next_value = 0;
  int next_asker = 0;
  for (int step = 0; step < 50'000; ++step) {
    const auto what = random() % 100;
    if (what < 40) {
      box.write(next_value);
      values.push_back(next_value++);
    } else if (what < 92) {
      const bool peek = what >= 75;
      askers.push_back({next_asker, peek});
      spawn(ask(box, peek, next_asker++, got));
    } else if (what < 95) {
      const std::optional<int> taken = box.try_read();
      if (values.empty()) {
        EXPECT_EQ(taken, std::nullopt);
      } else {
        EXPECT_EQ(taken, values.front());
        values.pop_front();
      }
    } else {
      context.run_some(static_cast<int>(random() % 50));
    }
    serve();
    ASSERT_EQ(box.size(), values.size());
  }
  while (!askers.empty()) {
    box.write(next_value);
    values.push_back(next_value++);
    serve();
  }
  while (context.run_some(1000) > 0) {
  }
  // A reader served at once notes its value at once, one that waited when it resumes: per asker it is the same.
  const auto by_asker = [](const expectation& a, const expectation& b) { return a.asker < b.asker; };
  std::sort(got.begin(), got.end(), by_asker);
  std::sort(expected.begin(), expected.end(), by_asker);
  EXPECT_EQ(got, expected);
}

// Promise: with many writers and readers, each value reaches one reader, and each reader sees the
// values of one writer in order.
task<void> write_all(tsubu::sync<std::pair<int, int>>& box, int writer, int count, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < count; ++i) {
    if (random() % 3 == 0) co_await yield();
    box.write({writer, i});
  }
}
task<void> read_all(tsubu::sync<std::pair<int, int>>& box, int count, std::vector<int>& seen, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> last(10, -1);
  for (int i = 0; i < count; ++i) {
    if (random() % 3 == 0) co_await yield();
    const auto got = co_await box.read();
    const auto writer = static_cast<std::size_t>(got.first);
    EXPECT_GT(got.second, last[writer]);
    last[writer] = got.second;
    ++seen[writer];
  }
}
task<void> check_many(unsigned seed) {
  tsubu::sync<std::pair<int, int>> box;
  std::vector<int> seen(10, 0);
  scope all;
  for (int i = 0; i < 5; ++i) all.spawn(read_all(box, 2000, seen, seed++));
  for (int i = 0; i < 10; ++i) all.spawn(write_all(box, i, 1000, seed++));
  co_await all.join();
  for (const int n : seen) EXPECT_EQ(n, 1000);
  EXPECT_TRUE(box.empty());
}
TEST(sync, many_readers_and_writers) {
  const auto seed = static_cast<unsigned>(fresh_seed());
  SCOPED_TRACE("seed=" + std::to_string(seed));
  run_local(check_many(seed));
}

}  // namespace
}  // namespace tsubu
