// Promise: each value of a counter is taken once, and a zero is seen by all from then on until somebody writes; what is
// written is there for all who read after it, those that keep a zero included; who waits for zero goes on; a kept zero
// takes no message. Method: small programs over random interleavings of the PEs (interleaved_job), histories of
// overlapping operations that a search must be able to put in an order, and messages counted.
#include "tsubu/data/sync/counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "tests/shared_job.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::data_test {
namespace {

using data::counter_operation;

shared_counter left;  // one thread holds all PEs: plain variables are seen by all
std::vector<long> taken;

void run_seeds(task<void> (*program)(pe_id), std::uint64_t seeds = 200) {
  std::printf("seeds 1 to %llu\n", static_cast<unsigned long long>(seeds));
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    for (const pe_id pes : {1, 2, 3, 5}) run_all(pes, seed, program);
  }
}

task<void> make_counter(pe_id me, long n) {
  if (me == 0) taken.clear();
  if (me == pe_count() / 2) left = create_counter(n);
  co_await barrier();
}

task<void> take_all() {
  while (const long k = co_await left.fetch_decrement()) {
    taken.push_back(k);
    if (dice() % 4 == 0) co_await yield();
  }
}
task<void> wait_for_zero() { co_await left.until_zero(); }
task<void> each_is_taken_once(pe_id me) {
  constexpr long n = 20;
  co_await make_counter(me, n);
  for (int round = 0; round < 3; ++round) {
    co_await when_all(take_all(), take_all(), wait_for_zero());
    EXPECT_EQ(co_await left.read(), 0);
    EXPECT_EQ(co_await left.fetch_decrement(), 0) << "a zero stays zero";
    co_await barrier();
    if (me == 0) {
      std::sort(taken.begin(), taken.end());
      EXPECT_EQ(std::ssize(taken), n);
      for (long i = 0; i < std::ssize(taken); ++i) EXPECT_EQ(taken[static_cast<std::size_t>(i)], i + 1);
      taken.clear();
    }
    co_await barrier();
    if (me == pe_count() - 1) co_await left.write(n);
    co_await barrier();
  }
  if (me == 0) left.end();
}
TEST(Counter, EachIsTakenOnce) { run_seeds(each_is_taken_once); }

// ---- in one order

// What was done, when it began and ended, in steps of all PEs.
struct done_operation {
  counter_operation what;
  long argument, result, begin, end;
};
std::vector<done_operation> history;
long now_is = 0;

task<long> operate(counter_operation what, long argument) {
  if (what == counter_operation::read) co_return co_await left.read();
  if (what == counter_operation::fetch_decrement) co_return co_await left.fetch_decrement();
  co_await left.write(argument);
  co_return 0;
}
task<void> operate_some(int times) {
  for (int i = 0; i < times; ++i) {
    const std::uint64_t which = dice() % 8;
    const auto what = which < 3   ? counter_operation::read
                      : which < 6 ? counter_operation::fetch_decrement
                                  : counter_operation::write;
    const long argument = what == counter_operation::write ? static_cast<long>(dice() % 3) : 0;
    const long begin = ++now_is;
    const long result = co_await operate(what, argument);
    history.push_back({what, argument, result, begin, ++now_is});
    if (dice() % 2 == 0) co_await yield();
  }
}

// Is there an order in which each has the result it had, and none is behind one that began after its end?
class order_search {
 public:
  explicit order_search(const std::vector<done_operation>& all) : all_(all) {}
  bool finds(std::uint64_t done, long value) {
    if (done == (std::uint64_t{1} << all_.size()) - 1) return true;
    if (!seen_.emplace(done, value).second) return false;
    long first_end = std::numeric_limits<long>::max();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if ((done >> i & 1) == 0) first_end = std::min(first_end, all_[i].end);
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const done_operation& o = all_[i];
      if ((done >> i & 1) != 0 || o.begin > first_end) continue;
      if (o.what != counter_operation::write && o.result != value) continue;
      if (finds(done | std::uint64_t{1} << i, after(o, value))) return true;
    }
    return false;
  }

 private:
  static long after(const done_operation& o, long value) {
    if (o.what == counter_operation::write) return o.argument;
    return o.what == counter_operation::read ? value : std::max(value - 1, 0L);
  }
  const std::vector<done_operation>& all_;
  std::set<std::pair<std::uint64_t, long>> seen_;
};

task<void> linearizable(pe_id me) {
  if (me == 0) history.clear();
  co_await make_counter(me, 1);
  co_await when_all(operate_some(5), operate_some(5));
  co_await barrier();
  if (me == 0) {
    EXPECT_TRUE(order_search(history).finds(0, 1));
  }
}
TEST(Counter, OperationsHaveOneOrder) { run_seeds(linearizable, 400); }

TEST(Counter, TheSearchFindsNoOrderWhereThereIsNone) {
  using enum counter_operation;
  const std::vector<done_operation> stale{{write, 2, 0, 1, 2}, {read, 0, 0, 3, 4}};
  EXPECT_FALSE(order_search(stale).finds(0, 0));
  const std::vector<done_operation> beside{{write, 2, 0, 1, 4}, {read, 0, 0, 2, 3}};
  EXPECT_TRUE(order_search(beside).finds(0, 0));
}

// ---- waiting for zero

task<void> zero_is_waited_for(pe_id me) {
  co_await make_counter(me, 3L * pe_count());
  int waiting = 2;
  auto await_zero = [](int* waits) -> task<void> {
    co_await left.until_zero();
    --*waits;
  };
  auto take_three = []() -> task<void> {
    for (int i = 0; i < 3; ++i) EXPECT_GT(co_await left.fetch_decrement(), 0);
  };
  co_await when_all(await_zero(&waiting), await_zero(&waiting), take_three());
  EXPECT_EQ(waiting, 0);
  EXPECT_EQ(co_await left.read(), 0);
}
TEST(Counter, ZeroIsWaitedFor) { run_seeds(zero_is_waited_for); }

task<void> zero_is_written(pe_id me) {
  co_await make_counter(me, 1);
  if (me == pe_count() - 1) {
    auto write_zero = []() -> task<void> { co_await left.write(0); };
    co_await when_all(wait_for_zero(), write_zero());
  } else {
    co_await left.until_zero();
  }
}
TEST(Counter, ZeroIsWritten) { run_seeds(zero_is_written, 50); }

// ---- what it costs

// What is sent is counted when it leaves.
std::uint64_t sent() {
  remote::current_pe->flush(message::flush_reason::idle);
  return remote::current_pe->messages.sent();
}

task<void> messages_are_few(pe_id me) {
  co_await make_counter(me, 1);
  const bool home = me == pe_count() / 2;
  if (home) {
    const std::uint64_t before = sent();
    co_await left.write(2);
    EXPECT_EQ(co_await left.fetch_decrement(), 2);
    EXPECT_EQ(co_await left.read(), 1);
    EXPECT_EQ(co_await left.fetch_decrement(), 1);
    EXPECT_EQ(sent(), before) << "on the home";
  }
  co_await barrier();
  if (!home) {
    EXPECT_EQ(co_await left.read(), 0);
    const std::uint64_t before = sent();
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(co_await left.read(), 0);
      EXPECT_EQ(co_await left.fetch_decrement(), 0);
      co_await left.until_zero();
    }
    EXPECT_EQ(sent(), before) << "a zero that has been seen";
  }
  co_await barrier();
  if (home) {
    const std::uint64_t before = sent();
    co_await left.write(0);
    EXPECT_EQ(sent(), before) << "a zero in place of a zero";
    co_await left.write(5);
    const std::uint64_t to_forget = pe_count() == 1 ? 0 : static_cast<std::uint64_t>(pe_count());
    EXPECT_EQ(sent(), before + to_forget) << "to all others, which keep a zero, and to itself, since it waits";
    co_await left.write(6);
    EXPECT_EQ(sent(), before + to_forget) << "nobody keeps one";
  }
}
TEST(Counter, MessagesAreFew) { run_seeds(messages_are_few, 20); }

}  // namespace
}  // namespace tsubu::data_test
