// Promise: when an arena has ended, no object that was made in it is left anywhere, nor one that was made in an epoch
// within it, whatever has moved, ended before or is busy; and every other object is. Method: random programs that
// open arenas and epochs in each other, make, move and end objects on all PEs, and count who lives; as in
// object_test.cpp.
#include "tsubu/object/arena.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/object_job.hpp"
#include "tsubu/object/arenas.hpp"
#include "tsubu/object/move.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::arena_test {
namespace {

using namespace test;

// Those that live, by the arena that they were made in; 0: in none.
std::map<int, int>& alive() {
  static std::map<int, int> count;
  return count;
}

struct leaf : object<leaf> {
  leaf() = default;
  explicit leaf(int in) : arena_number(in) { count(); }
  ~leaf() {
    if (counted) --alive()[arena_number];
  }
  int get() { return arena_number; }
  void note() {}
  task<void> be_busy(int turns) {
    for (int i = 0; i < turns; ++i) co_await yield();
  }
  template <class A>
  void serialize(A& a) {
    a(arena_number);
    if (arena_number >= 0 && !counted) count();
  }

 private:
  void count() {
    counted = true;
    ++alive()[arena_number];
  }
  int arena_number = -1;
  bool counted = false;
};

int arenas_opened = 0;
std::vector<ref<leaf>> all_made;
bool program_runs = false;
bool outsiders_keep_busy = false;  // then an object may outlive its arena, until its method ends

pe_id any_pe(std::mt19937_64& random) { return static_cast<pe_id>(random() % static_cast<std::uint64_t>(pe_count())); }

task<void> grow(std::uint64_t seed, int depth, int in);

task<void> open_arena(std::uint64_t seed, int depth) {
  const int number = ++arenas_opened;
  const auto body = [seed, depth, number] { return grow(seed, depth, number); };
  co_await arena(body);
  if (!outsiders_keep_busy) {
    EXPECT_EQ(alive()[number], 0) << "of arena " << number;
  }
}

task<void> grow(std::uint64_t seed, int depth, int in) {
  std::mt19937_64 random(seed);
  std::vector<ref<leaf>> mine;
  for (int step = 0; step < 6; ++step) {
    const std::uint64_t next = random();
    switch (random() % 8) {
      case 0:
        if (depth > 0) at(any_pe(random)).past<grow>(next, depth - 1, in);
        break;
      case 1:
        if (depth > 0) co_await at(any_pe(random)).now<grow>(next, depth - 1, in);
        break;
      case 2:
        if (depth > 0) {
          const auto body = [next, depth, in] { return grow(next, depth - 1, in); };
          co_await epoch(body);
        }
        break;
      case 3:
        if (depth > 0) co_await open_arena(next, depth - 1);
        break;
      case 4:
        if (!mine.empty()) mine[next % mine.size()].end();
        break;
      case 5:
        if (!mine.empty()) (void)mine[next % mine.size()].future<&leaf::tsubu_move>(any_pe(random));
        break;
      default:
        mine.push_back(create<leaf>(at(any_pe(random)), in));
        all_made.push_back(mine.back());
        if (random() % 2 == 0) mine.back().past<&leaf::note>();
        if (random() % 4 == 0) co_await yield();
    }
  }
}

// Somebody outside, who asks objects of arenas, whether or not they are still there.
task<void> ask_around(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  while (program_runs) {
    co_await yield();
    if (all_made.empty()) continue;
    const ref<leaf> one = all_made[random() % all_made.size()];
    if (outsiders_keep_busy && random() % 2 == 0) {
      one.past<&leaf::be_busy>(static_cast<int>(random() % 4));
    } else {
      (void)co_await is_gone(one);
    }
  }
}

task<void> program(std::uint64_t seed) {
  program_runs = true;
  spawn(ask_around(seed));
  std::vector<ref<leaf>> outside;
  for (pe_id pe = 0; pe < pe_count(); ++pe) outside.push_back(create<leaf>(at(pe), 0));
  for (int i = 0; i < 3; ++i) co_await open_arena(seed * 3 + static_cast<std::uint64_t>(i), 4);
  program_runs = false;
  co_await quiescence();
  for (const auto& [number, living] : alive()) EXPECT_EQ(living, number == 0 ? pe_count() : 0) << "of arena " << number;
  for (const ref<leaf> r : outside) EXPECT_EQ(co_await r.now<&leaf::get>(), 0);
}

TEST(arenas, end_what_was_made_in_them_and_nothing_else) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + seeds() / 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    alive().clear();
    all_made.clear();
    arenas_opened = 0;
    outsiders_keep_busy = seed % 3 == 0;
    {
      interleaved_job job(static_cast<pe_id>(1 + seed % 5), seed);
      play(job, seed % 2 == 0, program(seed));
      for (pe_id pe = 0; pe < job.wires().size(); ++pe) {
        job[pe];
        EXPECT_EQ(objects::this_space().of_arenas().size(), 0U) << "on PE " << pe;
      }
    }
    if (HasFailure()) return;
  }
}

struct mayfly : object<mayfly> {
  mayfly() { retire(); }
};

TEST(arenas, forget_what_has_ended) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    std::size_t noted = 0;
    const auto body = [&noted] {
      for (int i = 0; i < 100'000; ++i) create<mayfly>(here());
      noted = objects::this_space().of_arenas().noted();
    };
    co_await arena(body);
    EXPECT_LE(noted, 16U);
  }());
}

TEST(arenas, throw_what_their_body_throws_when_their_objects_have_ended) {
  alive().clear();
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    bool caught = false;
    const auto body = [] {
      create<leaf>(at(1), 1);
      throw std::domain_error("enough");
    };
    try {
      co_await arena(body);
    } catch (const std::domain_error&) {
      caught = true;
    }
    EXPECT_TRUE(caught);
    EXPECT_EQ(alive()[1], 0);
  }());
}

}  // namespace
}  // namespace tsubu::arena_test
