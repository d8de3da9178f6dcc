// Promise: what threads of all processes read of shared memory is what was written last before, whatever the protocol,
// the size of blocks, and the order in which messages arrive and processes run.
//
// Checked by programs on interleaved PEs, which one thread runs, so that a plain array can be the model: a thread
// writes the memory and the model between the same two waits, under a lock or because nobody else writes that word.
#include "tsubu/eulash/memory.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "tests/interleaved_job.hpp"
#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/layout.hpp"
#include "tsubu/eulash/stacks.hpp"
#include "tsubu/eulash/sync_objects.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/task/fiber_on.hpp"

namespace tsubu::placed {
namespace {

TEST(layout, each_offset_has_one_home_and_each_stack_one_owner) {
  for (const pe_id pes : {1, 2, 3, 4, 5, 16, 70}) {
    const layout where(pes);
    EXPECT_EQ(where.part_of(0).begin, 0U);
    for (pe_id pe = 0; pe < pes; ++pe) {
      const range part = where.part_of(pe), stack = where.stacks_of(pe), view = where.view_of(pe);
      EXPECT_EQ(where.home_of(part.begin), pe);
      EXPECT_EQ(where.home_of(part.end() - 1), pe);
      EXPECT_LE(part.end(), where.span());
      EXPECT_EQ(where.owner_of_stack(stack.begin), pe);
      EXPECT_EQ(where.owner_of_stack(stack.end() - 1), pe);
      EXPECT_FALSE(is_shared(view.begin) || is_stack(view.begin));
      if (pe > 0) {
        EXPECT_GE(view.begin - where.state_bytes(), where.view_of(pe - 1).end());
      }
    }
  }
}

TEST(layout, of_one_memory_is_at_addresses_that_are_accessed_as_they_are) {
  for (const pe_id pes : {1, 2, 5, 70}) {
    const layout where(pes, true);
    for (pe_id pe = 0; pe < pes; ++pe) {
      const range part = where.part_of(pe), stack = where.stacks_of(pe);
      for (const std::uint64_t address : {where.address_of(part.begin), where.address_of(part.end() - 1)}) {
        EXPECT_TRUE(where.holds(address) && !where.holds_stack(address));
        EXPECT_EQ(where.home_of(where.offset_of(address)), pe);
        EXPECT_EQ(eulash_read(reinterpret_cast<void*>(address), 8), reinterpret_cast<void*>(address));
      }
      for (const std::uint64_t address : {stack.begin, stack.end() - 1}) {
        EXPECT_TRUE(where.holds_stack(address) && !where.holds(address));
        EXPECT_EQ(where.owner_of_stack(address), pe);
        EXPECT_EQ(eulash_read(reinterpret_cast<void*>(address), 8), reinterpret_cast<void*>(address));
      }
      EXPECT_LE(stack.end(), EULASH_BASE + layout::addresses);
    }
  }
}

// ---- programs

struct setting {
  pe_id pes;
  std::uint64_t seed;
  eulash_protocol how;
  unsigned block_bytes;
};
setting now;
std::mt19937_64* random_bits = nullptr;
std::uint64_t dice() { return (*random_bits)(); }

std::uint64_t memory_at = 0;           // of the program's array, once somebody has allocated it
std::vector<std::uint64_t> model;      // what is in it
constexpr std::uint64_t lock_at = 64;  // a mutex of process 0, which is no memory

void* allocate(std::size_t bytes) {
  static eulash_site site;
  site = {{"memory_test.cpp", "allocate", 1, 0}, "memory", now.how, now.block_bytes};
  return eulash_malloc(bytes, &site);
}

std::uint64_t word(std::uint64_t i) {
  const auto* const at = reinterpret_cast<const std::uint64_t*>(memory_at) + i;
  return *static_cast<const std::uint64_t*>(eulash_read(at, sizeof *at));
}
void set_word(std::uint64_t i, std::uint64_t value) {
  eulash_store(reinterpret_cast<std::uint64_t*>(memory_at) + i, &value, sizeof value);
}

void lock(std::uint64_t who) { ASSERT_EQ(wait_here(tsubu::at(0).now<&lock_mutex>(lock_at, who, without_limit)), 0); }
void unlock(std::uint64_t who) { ASSERT_EQ(wait_here(tsubu::at(0).now<&unlock_mutex>(lock_at, who)), 0); }

void everybody_arrives() { wait_here(tsubu::at(0).now<&wait_barrier>(std::uint64_t{128}, std::uint64_t{1})); }

constexpr std::uint64_t words = 300;

void begin(pe_id me) {
  views->enter();
  if (me == 0) init_barrier(128, static_cast<std::uint32_t>(now.pes));
  // Who makes it is its home.
  if (me == static_cast<pe_id>(now.seed % static_cast<std::uint64_t>(now.pes))) {
    model.assign(words, 0);
    memory_at = reinterpret_cast<std::uintptr_t>(allocate(words * sizeof(std::uint64_t)));
    for (std::uint64_t i = 0; i < words; ++i) set_word(i, 0);
  }
}

// Under the lock each word is what the model says.
void locked(pe_id me) {
  const auto who = static_cast<std::uint64_t>(me) + 1;
  for (int round = 0; round < 12; ++round) {
    lock(who);
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t at = dice() % words;
      ASSERT_EQ(word(at), model[at]);
      const std::uint64_t value = dice();
      model[at] = value;
      set_word(at, value);
      ASSERT_EQ(word(at), value);
    }
    unlock(who);
  }
}

// Each writes its own words, all of which share blocks with others'; then all read all.
void in_phases(pe_id me) {
  const auto pes = static_cast<std::uint64_t>(now.pes), own = static_cast<std::uint64_t>(me);
  for (std::uint64_t phase = 1; phase < 4; ++phase) {
    for (std::uint64_t i = own; i < words; i += pes) {
      model[i] = phase * words + i;
      set_word(i, phase * words + i);
    }
    everybody_arrives();
    for (std::uint64_t i = 0; i < words; ++i) ASSERT_EQ(word(i), phase * words + i);
    std::vector<std::uint64_t> row(words);
    copy_out(memory_at, row.data(), words * sizeof row[0]);
    for (std::uint64_t i = 0; i < words; ++i) ASSERT_EQ(row[i], model[i]);
    everybody_arrives();
  }
}

// Nobody loses a count.
void counted(pe_id) {
  for (int i = 0; i < 30; ++i) {
    change_atomically(memory_at + 8 * (dice() % 3), {1, 0, 8, eulash_atomic_add});
  }
  everybody_arrives();
  ASSERT_EQ(word(0) + word(1) + word(2), 30U * static_cast<std::uint64_t>(now.pes));
}

// Each makes a part of one half of the words of all of the other half, by rows where it can. Parts share blocks.
std::uint64_t rows_made = 0;
void in_rows(pe_id me) {
  constexpr std::uint64_t half = words / 2;
  const auto pes = static_cast<std::uint64_t>(now.pes), own = static_cast<std::uint64_t>(me);
  const std::uint64_t begin = own * half / pes, end = (own + 1) * half / pes;
  const auto* const base = reinterpret_cast<const std::uint64_t*>(memory_at);
  for (std::uint64_t phase = 0; phase < 5; ++phase) {
    const std::uint64_t from = phase % 2 * half, to = half - from;
    eulash_run runs[2] = {{base + from + half - 1, base + from, 8, 0, 0},
                          {base + to + begin, base + to + end - 1, 8, 1, 0}};
    const bool by_rows = begin != end && eulash_hold(runs, 2) != 0;
    const auto shifted = [&](std::uint64_t i, int run) {
      return reinterpret_cast<std::uintptr_t>(base + i) + static_cast<std::uintptr_t>(runs[run].shift);
    };
    rows_made += by_rows ? 1 : 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t mirrored = half - 1 - i;
      if (by_rows) {
        const auto read = [&](std::uint64_t at) {
          return *reinterpret_cast<const std::uint64_t*>(shifted(from + at, 0));
        };
        *reinterpret_cast<std::uint64_t*>(shifted(to + i, 1)) = read(mirrored) + read(i) + 1;
      } else {
        const std::uint64_t value = word(from + mirrored) + word(from + i) + 1;
        set_word(to + i, value);
      }
    }
    everybody_arrives();
  }
  // 0, 1, 3, 7, .. in turn.
  for (std::uint64_t i = 0; i < half; ++i) ASSERT_EQ(word(half + i), 31U);
  for (std::uint64_t i = 0; i < half; ++i) ASSERT_EQ(word(i), 15U);
  everybody_arrives();
}

// What is freed is allocated again, of another shape, while others still know it as it was.
void freed(pe_id me) {
  for (std::uint64_t round = 1; round < 5; ++round) {
    everybody_arrives();
    if (me == 0) {
      eulash_free(reinterpret_cast<void*>(memory_at));
      now.block_bytes = round % 2 == 0 ? 0 : 64;
      memory_at = reinterpret_cast<std::uintptr_t>(allocate(words * sizeof(std::uint64_t)));
      for (std::uint64_t i = 0; i < words; ++i) set_word(i, round * i);
    }
    everybody_arrives();
    for (std::uint64_t i = 0; i < words; i += 7) ASSERT_EQ(word(i), round * i);
  }
}

// A word on the stack of process 0's thread, which the others add to in turn.
void on_a_stack(pe_id me) {
  const auto who = static_cast<std::uint64_t>(me) + 1;
  std::uint64_t local = 0;
  if (me == 0) model[0] = reinterpret_cast<std::uintptr_t>(&local);
  everybody_arrives();
  lock(who);
  std::uint64_t value = 0;
  copy_out(model[0], &value, sizeof value);
  value += who;
  copy_in(model[0], &value, sizeof value);
  unlock(who);
  everybody_arrives();
  const auto pes = static_cast<std::uint64_t>(now.pes);
  if (me == 0) {
    ASSERT_EQ(local, pes * (pes + 1) / 2);
  }
  everybody_arrives();
}

void (*work)(pe_id) = nullptr;

void one_has_ended() { remote::current_pe->quiescence.program_ended(0); }

void run_one(pe_id me) {
  const range stack = stacks_here->take(1 << 18);
  spawn_fiber_on(
      reinterpret_cast<void*>(stack.begin), stack.bytes,
      [](void* bottom, std::size_t) { stacks_here->give_back(reinterpret_cast<std::uintptr_t>(bottom)); },
      [me] {
        begin(me);
        everybody_arrives();
        work(me);
        tsubu::at(0).past<&one_has_ended>();
      });
}

void run_all(void (*program)(pe_id), std::uint64_t seeds) {
  work = program;
  for (const eulash_protocol how : {EULASH_INVALIDATE, EULASH_MOBILE, EULASH_UPDATE_PROTOCOL, EULASH_GLOBAL_PROTOCOL}) {
    for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
      for (const pe_id pes : {1, 2, 3, 5}) {
        now = {pes, seed, how, seed % 2 == 0 ? 0U : 64U * static_cast<unsigned>(seed)};
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(pes) + " PEs, protocol " +
                     std::to_string(how));
        test::interleaved_job job(pes, seed);
        random_bits = &job.random();
        job[0].expect_programs(pes);
        std::deque<task_context_scope> scopes;  // fibers want to know the thread that runs them
        for (pe_id pe = 0; pe < pes; ++pe) {
          scopes.emplace_back(job[pe].tasks);
          run_one(pe);
        }
        ASSERT_TRUE(job.run());
        while (!scopes.empty()) scopes.pop_back();
      }
    }
  }
}

TEST(shared_memory, under_a_lock_is_as_it_was_written) { run_all(&locked, 20); }
TEST(shared_memory, in_phases_is_as_it_was_written) { run_all(&in_phases, 8); }
TEST(shared_memory, loses_no_atomic_addition) { run_all(&counted, 20); }
TEST(shared_memory, is_as_it_was_written_by_rows) {
  run_all(&in_rows, 20);
  EXPECT_GT(rows_made, 1000U);
}
TEST(shared_memory, is_freed_and_allocated_again) { run_all(&freed, 10); }
TEST(stacks, are_read_and_written_by_others) { run_all(&on_a_stack, 10); }

}  // namespace
}  // namespace tsubu::placed
