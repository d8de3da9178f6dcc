// Promise: a lock is held by one task at a time, or, shared, by no writer beside its readers; who comes first is served
// first; readers that wait get in together; neither readers nor writers starve; no wake-up is lost, also when somebody
// stops waiting; a free lock on its home takes no message. Method: small programs over random interleavings of the PEs
// (interleaved_job), with messages counted.
#include "tsubu/data/sync/lock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <coroutine>
#include <vector>

#include "tests/shared_job.hpp"
#include "tsubu/data/sync/rw_lock.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::data_test {
namespace {

// One thread holds all PEs: plain variables are seen by all.
lock one;
rw_lock two;
int writers_in = 0, readers_in = 0;
long turns = 0;
int most_readers = 0;

void run_seeds(task<void> (*program)(pe_id), std::uint64_t seeds = 200) {
  std::printf("seeds 1 to %llu\n", static_cast<unsigned long long>(seeds));
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    for (const pe_id pes : {1, 2, 3, 5}) run_all(pes, seed, program);
  }
}

task<void> make_locks(pe_id me) {
  if (me == 0) turns = writers_in = readers_in = most_readers = 0;
  if (me == pe_count() / 2) {
    one = create_lock();
    two = create_rw_lock();
  }
  co_await barrier();
}

task<void> linger() {
  for (std::uint64_t i = dice() % 3; i > 0; --i) {
    if (dice() % 2 == 0) {
      co_await yield();
    } else {
      co_await at(static_cast<pe_id>(dice() % static_cast<std::uint64_t>(pe_count()))).now([] {});
    }
  }
}

// ---- one at a time

task<void> take_turns(int times) {
  for (int i = 0; i < times; ++i) {
    auto held = co_await one.acquire();
    EXPECT_TRUE(held);
    EXPECT_EQ(++writers_in, 1);
    const long before = turns;
    co_await linger();
    turns = before + 1;
    EXPECT_EQ(--writers_in, 0);
    if (dice() % 2 == 0) {
      held.release();
      EXPECT_FALSE(held);
    }
  }
}
task<void> one_holds_it(pe_id me) {
  co_await make_locks(me);
  co_await when_all(take_turns(5), take_turns(5), take_turns(5));
  co_await barrier();
  EXPECT_EQ(turns, 15 * pe_count());
}
TEST(Lock, OneHoldsItAtATime) { run_seeds(one_holds_it); }

void hold_in_a_fiber() {
  auto held = wait(one.acquire());
  EXPECT_EQ(++writers_in, 1);
  wait(linger());
  ++turns;
  EXPECT_EQ(--writers_in, 0);
}
task<void> fibers_and_epochs(pe_id me) {
  {
    const task_context_scope known(remote::current_pe->tasks);
  }  // what a fiber needs of its thread
  co_await make_locks(me);
  auto work = []() -> task<void> { co_await take_turns(3); };
  co_await when_all(epoch(work), run_fiber(hold_in_a_fiber), run_fiber(hold_in_a_fiber), epoch(work));
  co_await barrier();
  EXPECT_EQ(turns, 8 * pe_count());
}
TEST(Lock, FibersAndEpochsHoldIt) { run_seeds(fibers_and_epochs); }

// ---- whose turn it is

std::vector<int> served;

task<void> be_served(int number) {
  const auto held = co_await one.acquire();
  served.push_back(number);
  co_await linger();
}
// Each asks when the home has heard of the one before it.
task<void> first_come_first_served(pe_id me) {
  co_await make_locks(me);
  if (me != 0) co_return;
  served.clear();
  const int askers = 6;
  {
    const auto held = co_await one.acquire();
    for (int i = 0; i < askers; ++i) {
      at(i % pe_count()).past([](int number) { spawn(be_served(number)); }, i);
      co_await quiescence();
    }
    EXPECT_TRUE(served.empty());
  }
  co_await quiescence();
  EXPECT_EQ(served, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}
TEST(Lock, FirstComeFirstServed) { run_seeds(first_come_first_served); }

// ---- shared

task<void> read_and_write(int times) {
  for (int i = 0; i < times; ++i) {
    if (dice() % 3 == 0) {
      const auto held = co_await two.acquire();
      EXPECT_EQ(++writers_in, 1);
      EXPECT_EQ(readers_in, 0);
      co_await linger();
      EXPECT_EQ(readers_in, 0);
      EXPECT_EQ(--writers_in, 0);
    } else {
      const auto held = co_await two.acquire_shared();
      ++readers_in;
      EXPECT_EQ(writers_in, 0);
      co_await linger();
      EXPECT_EQ(writers_in, 0);
      --readers_in;
    }
    ++turns;
  }
}
task<void> no_writer_beside_readers(pe_id me) {
  co_await make_locks(me);
  co_await when_all(read_and_write(6), read_and_write(6), read_and_write(6));
  co_await barrier();
  EXPECT_EQ(turns, 18 * pe_count());
  co_await quiescence();
  if (me == pe_count() / 2) two.end();  // all have released it
}
TEST(RwLock, NoWriterBesideReaders) { run_seeds(no_writer_beside_readers); }

// Who asks while it is held: 0 to 9 shares it, 10 and up has it alone.
task<void> ask_for_two(int number) {
  if (number < 10) {
    const auto held = co_await two.acquire_shared();
    most_readers = std::max(most_readers, ++readers_in);
    served.push_back(number);
    co_await at(0).now([] {});
    co_await quiescence();  // all that could get in beside it have
    --readers_in;
  } else {
    const auto held = co_await two.acquire();
    EXPECT_EQ(readers_in, 0);
    served.push_back(number);
    co_await linger();
  }
}
task<void> ask_in_order(std::vector<int> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    at(static_cast<pe_id>(i) % pe_count()).past([](int n) { spawn(ask_for_two(n)); }, numbers[i]);
    co_await quiescence();
  }
}
task<void> served_in_phases(pe_id me) {
  co_await make_locks(me);
  if (me != 0) co_return;
  served.clear();
  {
    const auto held = co_await two.acquire();
    std::vector<int> asking{10, 1, 11, 2, 3, 12};
    co_await ask_in_order(std::move(asking));
    EXPECT_TRUE(served.empty());
  }
  co_await quiescence();
  co_await quiescence();
  // Readers after a writer, all of them, then the writers in order.
  EXPECT_EQ(most_readers, 3) << "those who wait get in together";
  std::vector<int> order = served;
  std::sort(order.begin(), order.begin() + std::min<std::ptrdiff_t>(3, std::ssize(order)));
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 10, 11, 12}));
}
TEST(RwLock, ReadersThatWaitGetInTogether) { run_seeds(served_in_phases); }

task<void> a_writer_is_not_overtaken(pe_id me) {
  co_await make_locks(me);
  if (me != 0) co_return;
  served.clear();
  {
    const auto held = co_await two.acquire_shared();
    std::vector<int> asking{10, 1, 11, 2};
    co_await ask_in_order(std::move(asking));
    EXPECT_TRUE(served.empty()) << "a reader does not get in before a writer that waits";
  }
  co_await quiescence();
  co_await quiescence();
  std::vector<int> order = served;
  if (order.size() == 4) std::sort(order.begin() + 1, order.begin() + 3);
  EXPECT_EQ(order, (std::vector<int>{10, 1, 2, 11})) << "a writer, those who share it, a writer";
}
TEST(RwLock, AWriterIsNotOvertaken) { run_seeds(a_writer_is_not_overtaken); }

// ---- who stops waiting, and who never began

// Waits for a lock, and forgets about it as soon as something else has come.
task<void> stop_waiting() {
  const data::lock_request never_awaited = one.acquire();
  (void)never_awaited;
  data::lock_request given_up = one.acquire();
  if (given_up.await_ready()) co_return;  // it has it, and gives it back
  given_up.suspend(ready_item(std::noop_coroutine()), std::source_location::current());
  co_await linger();
}
task<void> give_up_and_take_turns(pe_id me) {
  co_await make_locks(me);
  co_await when_all(take_turns(3), stop_waiting(), stop_waiting(), take_turns(3));
  co_await quiescence();
  EXPECT_EQ(turns, 6 * pe_count());
  (void)co_await one.acquire();
}
TEST(Lock, WhoStopsWaitingGivesItBack) { run_seeds(give_up_and_take_turns); }

task<void> moves(pe_id me) {
  co_await make_locks(me);
  held_lock kept;
  EXPECT_FALSE(kept);
  {
    held_lock got = co_await one.acquire();
    kept = std::move(got);
    EXPECT_TRUE(kept);
    ++writers_in;
    co_await linger();
  }
  EXPECT_EQ(writers_in, 1);
  --writers_in;
  kept = held_lock();
  kept = co_await one.acquire();
}
TEST(Lock, WhatHoldsItMoves) { run_seeds(moves, 50); }

// ---- names

task<void> locks_end(pe_id me) {
  if (me == 0) {
    const lock first = create_lock();
    first.end();
    const lock second = create_lock();
    EXPECT_FALSE(first == second) << "a name is not used again";
    EXPECT_TRUE(co_await second.acquire());
    const lock far = co_await at(pe_count() - 1).now([] { return create_lock(); });
    EXPECT_TRUE(co_await far.acquire());
    far.end();  // behind the release
  }
}
TEST(Lock, Ends) { run_seeds(locks_end, 20); }

// ---- what it costs

// What is sent is counted when it leaves.
std::uint64_t sent() {
  remote::current_pe->flush(message::flush_reason::idle);
  return remote::current_pe->messages.sent();
}

task<void> messages_are_few(pe_id me) {
  co_await make_locks(me);
  if (me == pe_count() / 2) {
    const std::uint64_t before = sent();
    for (int i = 0; i < 10; ++i) (void)co_await one.acquire();
    for (int i = 0; i < 10; ++i) {
      const auto first = co_await two.acquire_shared();
      const auto second = co_await two.acquire_shared();
    }
    (void)co_await two.acquire();
    EXPECT_EQ(sent(), before) << "on its home, free";
  }
  co_await barrier();
  if (me == 0 && pe_count() > 1) {
    std::uint64_t before = 0;
    for (int i = 0; i < 11; ++i) {
      const auto held = co_await one.acquire();
      if (i == 0) before = sent();  // it has told the home of this place
    }
    EXPECT_EQ(sent(), before + 1 + 20) << "from elsewhere: a question, and a release";
  }
}
TEST(Lock, MessagesAreFew) { run_seeds(messages_are_few, 20); }

}  // namespace
}  // namespace tsubu::data_test
