// Promise: each read brings the value that its memory held when all that was sent before it had been executed, and no
// other, to whom asked: reads of several sizes, awaited ones and those that land, in epochs and outside, to the own PE
// and to others, also when some of those who wait go away. Method: random reads of counted values over random
// interleavings. SPLIT_READS_TEST_SEED begins elsewhere.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <coroutine>
#include <cstdlib>
#include <ranges>
#include <stdexcept>

#include "tests/interleaved_job.hpp"
#include "tsubu/base/sanitizer.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/memory/read_each.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/when_all.hpp"

namespace tsubu::split_reads_test {
namespace {

using test::interleaved_job;

struct triple {
  std::uint64_t a, b, c;
  bool operator==(const triple&) const = default;
};
constexpr std::size_t elements = 100;

std::uint64_t value_at(pe_id pe, std::size_t i) { return static_cast<std::uint64_t>(pe) * 1000 + i + 1; }

// One thread holds all PEs, so plain variables see everything.
struct memory {
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(elements);
  std::vector<std::uint32_t> halves = std::vector<std::uint32_t>(elements);
  std::vector<triple> triples = std::vector<triple>(elements);
  std::vector<std::uint64_t> written = std::vector<std::uint64_t>(elements);  // [i] by PE i
  global_ptr<std::uint64_t> word;
  global_ptr<std::uint32_t> half;
  global_ptr<triple> whole;
  global_ptr<std::uint64_t> mine;
};
std::vector<memory> memories;
std::mt19937_64* dice = nullptr;
long checked = 0;
int programs_left = 0;

std::size_t roll(std::size_t n) { return static_cast<std::size_t>((*dice)() % n); }
memory& any_memory() { return memories[roll(memories.size())]; }

void prepare(interleaved_job& job, pe_id pes) {
  memories = std::vector<memory>(static_cast<std::size_t>(pes));
  for (pe_id pe = 0; pe < pes; ++pe) {
    memory& m = memories[static_cast<std::size_t>(pe)];
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint64_t v = value_at(pe, i);
      m.words[i] = v;
      m.halves[i] = static_cast<std::uint32_t>(v);
      m.triples[i] = {v, v + 1, v + 2};
    }
    job[pe];
    m.word = share(std::span(m.words));
    m.half = share(std::span(m.halves));
    m.whole = share(std::span(m.triples));
    m.mine = share(std::span(m.written));
  }
}

// A put is seen by the read behind it.
task<void> puts_and_reads() {
  memory& there = any_memory();
  const std::uint64_t v = (*dice)();
  const global_ptr<std::uint64_t> p = there.mine + this_pe();
  p.put(v);
  std::uint64_t landed = 0;
  if (roll(2) == 0) {
    p.read_to(&landed);
    co_await reads_landed();
  } else {
    co_await read_each(std::views::single(p), std::span(&landed, 1));
  }
  EXPECT_EQ(landed, v);
  p.put(v + 1);
  EXPECT_EQ(co_await p.read(), v + 1);
  EXPECT_EQ(co_await p.fetch_add(5), v + 1);
  EXPECT_EQ(co_await p.compare_exchange(v + 6, 7), v + 6);
  co_await p.write(8);
  EXPECT_EQ(co_await p.read(), 8U);
  ++checked;
}

task<void> landing_values() {
  std::vector<std::uint64_t> words(roll(50)), wanted;
  std::vector<triple> triples(words.size());
  std::vector<std::uint32_t> halves(words.size());
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::size_t pe = roll(memories.size()), i = roll(elements);
    const auto at = static_cast<std::ptrdiff_t>(i);
    wanted.push_back(value_at(static_cast<pe_id>(pe), i));
    memories[pe].word[at].read_to(&words[k]);
    if (roll(2) == 0) memories[pe].half[at].read_to(&halves[k]);
    memories[pe].whole[at].read_to(&triples[k]);
    if (roll(3) == 0) co_await room_everywhere();
  }
  co_await reads_landed();
  for (std::size_t k = 0; k < words.size(); ++k) {
    EXPECT_EQ(words[k], wanted[k]);
    EXPECT_TRUE(halves[k] == 0 || halves[k] == wanted[k]);
    EXPECT_EQ(triples[k], (triple{wanted[k], wanted[k] + 1, wanted[k] + 2}));
    ++checked;
  }
}

task<void> each_of_many() {
  const auto count = static_cast<int>(roll(700));
  std::vector<std::uint64_t> wanted(static_cast<std::size_t>(count));
  std::vector<std::uint64_t> words(wanted.size());
  std::size_t next = 0;
  const auto pointer = [&](int) {
    const std::size_t pe = roll(memories.size()), i = roll(elements);
    wanted[next++] = value_at(static_cast<pe_id>(pe), i);
    return memories[pe].word[static_cast<std::ptrdiff_t>(i)];
  };
  co_await read_each(std::views::iota(0, count) | std::views::transform(pointer), words);
  EXPECT_EQ(words, wanted);
  ++checked;
}

// Who asks and does not wait; the answer must go to nobody, and those behind get their own.
task<void> going_away() {
  memory& there = any_memory();
  std::uint64_t landed = 0;
  there.word.read_to(&landed);
  {
    const auto abandoned = there.word.read();
    EXPECT_FALSE(abandoned.await_ready());
    remote::landing_wait wait;
    // An epoch would wait for the task that is said to wait.
    if (this_task_group == nullptr) wait.suspend(ready_item(std::noop_coroutine()), std::source_location::current());
  }
  for (std::size_t i = 0; i < elements; ++i) {
    EXPECT_EQ(co_await there.word[static_cast<std::ptrdiff_t>(i)].read(), there.words[i]);
  }
  co_await reads_landed();
  EXPECT_EQ(landed, there.words[0]);
  ++checked;
}

task<void> some_reads() {
  switch (roll(3)) {
    case 0:
      return landing_values();
    case 1:
      return each_of_many();
    default:
      return going_away();
  }
}

task<void> all_at_once() { co_await when_all(puts_and_reads(), some_reads(), some_reads()); }

task<void> program(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    if (roll(3) == 0) {
      co_await when_all(epoch(all_at_once), some_reads());
    } else {
      co_await all_at_once();
    }
  }
  if (--programs_left == 0) at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

TEST(split_reads, random_ones) {
  const char* chosen = std::getenv("SPLIT_READS_TEST_SEED");
  const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  checked = 0;
  constexpr int seeds = TSUBU_ASAN || TSUBU_TSAN ? 20 : 100;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto pes = static_cast<pe_id>(1 + seed % 4);
    interleaved_job job(pes, seed);
    dice = &job.random();
    prepare(job, pes);
    job[0].expect_programs(1);
    programs_left = pes;
    for (pe_id pe = 0; pe < pes; ++pe) {
      job[pe];
      spawn(program(5));
    }
    ASSERT_TRUE(job.run()) << "the job does not end";
    EXPECT_EQ(programs_left, 0);
    if (HasFailure()) return;
  }
  EXPECT_GT(checked, seeds * 50L);
}

// Runs `body` as the program of PE 0 of two.
void run_on_two(task<void> (*body)()) {
  interleaved_job job(2);
  dice = &job.random();
  prepare(job, 2);
  job[0].expect_programs(1);
  spawn([](task<void> (*what)()) -> task<void> {
    co_await what();
    remote::current_pe->quiescence.program_ended(0);
  }(body));
  ASSERT_TRUE(job.run());
}

// Promise: read_each() takes values of the own PE on the spot, without a message, unless that would overtake one.
TEST(split_reads, on_the_spot) {
  run_on_two([]() -> task<void> {
    const memory& own = memories[0];
    std::vector<std::uint64_t> words(elements);
    const auto pointers = std::views::iota(std::size_t{0}, elements) |
                          std::views::transform([&own](std::size_t i) { return own.word[static_cast<int>(i)]; });
    co_await read_each(pointers, words);
    EXPECT_EQ(words, own.words);
    remote::current_pe->messages.flush(message::flush_reason::order);
    EXPECT_EQ(remote::current_pe->messages.counted().packets_sent, 0U);
    own.word.put(77);
    co_await read_each(pointers, words);
    EXPECT_EQ(words[0], 77U);
    remote::current_pe->messages.flush(message::flush_reason::order);
    EXPECT_EQ(remote::current_pe->messages.counted().packets_sent, 1 + 2 * elements);
  });
}

// Promise: nor does a read on the spot overtake the rest of the batch that its PE is executing.
std::uint64_t seen_by_handler = 0;
task<void> read_in_a_handler() {
  const std::array pointers{memories[0].word};
  co_await read_each(pointers, std::span(&seen_by_handler, 1));
}
TEST(split_reads, in_a_handler) {
  run_on_two([]() -> task<void> {
    (void)at(0).past<read_in_a_handler>();
    memories[0].word.put(78);
    co_await memories[0].word.read();
    co_await reads_landed();
    EXPECT_EQ(seen_by_handler, 78U);
  });
}

// Promise: an exception of the range comes out when what was asked for before it has landed.
TEST(split_reads, a_range_that_throws) {
  run_on_two([]() -> task<void> {
    std::vector<std::uint64_t> words(elements);
    const auto pointers = std::views::iota(0, 90) | std::views::transform([](int i) {
                            if (i == 80) throw std::out_of_range("80");
                            return memories[1].word[i];
                          });
    bool thrown = false;
    try {
      co_await read_each(pointers, words);
    } catch (const std::out_of_range&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown);
    co_await read_each(pointers | std::views::take(80), std::span(words).first(80));
    EXPECT_TRUE(std::equal(words.begin(), words.begin() + 80, memories[1].words.begin()));
    EXPECT_EQ(words[80], 0U);
  });
}

TEST(split_reads_death, too_few_places) {
  auto run = [] {
    run_on_two([]() -> task<void> {
      std::vector<std::uint64_t> words(9);
      const auto pointers = std::views::iota(0, 10) | std::views::transform([](int i) { return memories[1].word[i]; });
      co_await read_each(pointers, words);
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(exit_code::failed), "read_each.. is given more pointers than places");
}

TEST(split_reads_death, no_such_pe) {
  auto run = [] {
    run_on_two([]() -> task<void> {
      const global_ptr<std::uint64_t> there = memories[1].word;
      const std::array pointers{there, global_ptr<std::uint64_t>(2, there.segment(), 0)};
      std::array<std::uint64_t, 2> words{};
      co_await read_each(pointers, words);
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(exit_code::failed), "a message for PE 2, but the job's PEs are 0 to 1");
}

// Promise: an offset beyond 4 GiB is read, too. The memory is only reserved, but for the pages that are read.
TEST(split_reads, far_away) {
  run_on_two([]() -> task<void> {
    constexpr std::size_t bytes = (std::size_t{4} << 30) + 4096;
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) co_return;
    const std::span all(static_cast<std::uint64_t*>(memory), bytes / sizeof(std::uint64_t));
    all.front() = 1;
    all.back() = 2;
    const auto shared = share(all);
    const auto last = shared + (static_cast<std::ptrdiff_t>(all.size()) - 1);
    std::array<std::uint64_t, 3> landed{};
    shared.read_to(&landed[0]);
    last.read_to(&landed[1]);
    shared.read_to(&landed[2]);
    co_await reads_landed();
    EXPECT_EQ(landed, (std::array<std::uint64_t, 3>{1, 2, 1}));
    const std::array pointers{last, shared, last};
    co_await read_each(pointers, landed);
    EXPECT_EQ(landed, (std::array<std::uint64_t, 3>{2, 1, 2}));
    EXPECT_EQ(co_await last.read(), 2U);
    // As many as end a block, among others.
    std::vector<std::uint64_t> many(300), wanted(many.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = i % 3 == 0 ? 1 : 2;
    co_await read_each(wanted | std::views::transform([&](std::uint64_t v) { return v == 1 ? shared : last; }), many);
    EXPECT_EQ(many, wanted);
    unshare(shared);
    ::munmap(memory, bytes);
  });
}

}  // namespace
}  // namespace tsubu::split_reads_test
