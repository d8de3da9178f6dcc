// Promise: an epoch ends when all that its body caused has run, anywhere, never before, and always then, whatever goes
// on outside; epochs nest, and many may be open, on all PEs. Method: random trees of messages, calls, tasks, fibers and
// inner epochs, over random interleavings; what each epoch has sent and executed is counted beside the runtime.
// EPOCH_TEST_SEED begins elsewhere.
#include "tsubu/remote/termination/epoch.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "tests/interleaved_job.hpp"
#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/task/for_each.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::epoch_test {
namespace {

using test::interleaved_job;

// One thread holds all PEs, so plain variables see everything. Each epoch has a number here, which its messages carry.
struct seen {
  long begun = 0;  // messages sent, tasks started
  long ended = 0;
  bool over = false;
};
std::deque<seen> books;
int epochs_left = 0;
long outside = 0;
std::mt19937_64* dice = nullptr;

long roll(long n) { return static_cast<long>((*dice)() % static_cast<std::uint64_t>(n)); }
pe_id any_pe() { return static_cast<pe_id>(roll(pe_count())); }

void begin(int book) {
  EXPECT_FALSE(books[static_cast<std::size_t>(book)].over) << "something is sent after the end of its epoch";
  ++books[static_cast<std::size_t>(book)].begun;
}
void end(int book) {
  EXPECT_FALSE(books[static_cast<std::size_t>(book)].over) << "something runs after the end of its epoch";
  ++books[static_cast<std::size_t>(book)].ended;
}

void spread(int book, int depth);
task<void> spread_slowly(int book, int depth);
task<int> answer_slowly(int book, int depth);
task<void> one_epoch(int depth);

void send_on(int book, int depth) {
  if (depth == 0) return;
  for (long n = roll(4); n > 0; --n) {
    begin(book);
    switch (roll(6)) {
      case 0:
        at(any_pe()).past<spread_slowly>(book, depth - 1);
        break;
      case 1:
        (void)at(any_pe()).future<answer_slowly>(book, depth - 1);  // nobody waits for it
        break;
      case 2:
        spawn(spread_slowly(book, depth - 1));
        break;
      case 3:
        at(any_pe()).past([book, depth] { spread(book, depth - 1); });
        break;
      default:
        at(any_pe()).past<spread>(book, depth - 1);
    }
  }
}
void spread(int book, int depth) {
  send_on(book, depth);
  end(book);
}
task<void> spread_slowly(int book, int depth) {
  if (roll(2) == 0) co_await yield();
  if (roll(3) == 0) co_await sleep_for(std::chrono::nanoseconds(roll(5000)));
  if (depth > 0 && roll(3) == 0) {
    begin(book);
    co_await at(any_pe()).now<answer_slowly>(book, depth - 1);
  }
  if (depth > 1 && roll(8) == 0) {
    begin(book);
    co_await one_epoch(depth - 1);
    end(book);
  }
  if (roll(4) == 0) co_await at(any_pe()).past([] {});
  send_on(book, depth);
  end(book);
}
task<int> answer_slowly(int book, int depth) {
  co_await spread_slowly(book, depth);
  co_return depth;
}

// An epoch of its own book.
task<void> one_epoch(int depth) {
  const int book = static_cast<int>(books.size());
  books.emplace_back();
  begin(book);
  auto body = [book, depth]() -> task<void> {
    for (int k = 0; k < 2; ++k) send_on(book, depth);
    co_await spread_slowly(book, depth);
  };
  co_await epoch(body);
  seen& mine = books[static_cast<std::size_t>(book)];
  EXPECT_EQ(mine.begun, mine.ended) << "the epoch has ended too early";
  mine.over = true;
}

task<void> program(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    if (roll(2) == 0) {
      co_await one_epoch(5);
    } else {
      co_await when_all(one_epoch(4), one_epoch(3), one_epoch(4));
    }
  }
  --epochs_left;
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

// Is under way as long as any program runs: no epoch may wait for it.
void bounce() {
  ++outside;
  if (epochs_left > 0) at(any_pe()).past<bounce>();
}

TEST(epoch, random_trees) {
  const char* chosen = std::getenv("EPOCH_TEST_SEED");
  const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  long total = 0;
  for (std::uint64_t seed = first; seed < first + (TSUBU_ASAN || TSUBU_TSAN ? 60 : 300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto pes = static_cast<pe_id>(1 + seed % 9);
    interleaved_job job(pes, seed);
    dice = &job.random();
    books.clear();
    const int programs = static_cast<int>(1 + seed % static_cast<std::uint64_t>(pes));
    epochs_left = programs;
    job[0].expect_programs(programs);
    for (pe_id pe = 0; pe < programs; ++pe) {
      job[pe];
      spawn(program(2));
    }
    bounce();
    ASSERT_TRUE(job.run()) << "the job does not end";
    for (const seen& s : books) {
      EXPECT_TRUE(s.over);
      EXPECT_EQ(s.begun, s.ended);
      total += s.ended;
    }
    for (pe_id pe = 0; pe < pes; ++pe) {
      EXPECT_EQ(job[pe].epochs.parts(), 0U) << "PE " << pe << " still keeps an epoch";
      EXPECT_FALSE(job[pe].epochs.unsettled());
    }
    if (HasFailure()) return;
  }
  std::printf("%ld messages and tasks in epochs\n", total);
}

// Promise: an epoch that cannot end is a deadlock, and the report names who waits for it and what it waits for.
task<void> wait_for_ever() {
  static tsubu::sync<int> box;
  co_await box.read();
}
TEST(epoch_death, deadlock) {
  auto run = [] {
    interleaved_job job(2);
    job[0].expect_programs(1);
    spawn([]() -> task<void> { co_await epoch([] { (void)at(1).past<wait_for_ever>(); }); }());
    job.run();
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(exit_code::deadlock),
              "tsubu: deadlock: .*\n"
              "tsubu:   PE 0: a task waits for the end of an epoch, at .*epoch_test.cpp:[0-9]+\n"
              "tsubu:   PE 1: a task waits for sync, at .*epoch_test.cpp:[0-9]+\n");
}

}  // namespace
}  // namespace tsubu::epoch_test
