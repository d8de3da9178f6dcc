// Promise: a split makes the teams that its colours and keys say, on every member alike; each team numbers its own
// calls, so that tasks of a PE may be in collectives of different teams in any order; an epoch of a team ends for every
// member when all that any member's body has caused has run, and not before; a PE keeps a record of a team for as long
// as something names it. Method: random nested splits in random interleavings of all PEs, against what each PE computes
// for itself from the same chance. TEAM_TEST_SEED begins elsewhere.
#include "tsubu/remote/collectives/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "tests/interleaved_job.hpp"
#include "tsubu/base/sanitizer.hpp"
#include "tsubu/remote/termination/team_epoch.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::team_test {
namespace {

using remote::team_members;
using pes = std::vector<pe_id>;

pes listed(const team_members& members) {
  pes all;
  members.for_each([&](pe_id pe) { all.push_back(pe); });
  return all;
}

TEST(team_members, evenly_spaced_or_not) {
  const pes lists[] = {{3}, {0, 1, 2, 3}, {1, 4, 7}, {9, 6, 3, 0}, {2, 0, 1}, {5, 3}, {0, 1, 3}};
  for (const pes& list : lists) {
    const team_members made(list);
    EXPECT_EQ(listed(made), list);
    EXPECT_EQ(made.size(), static_cast<pe_id>(list.size()));
    EXPECT_TRUE(made.fit(10));
    EXPECT_FALSE(made.fit(*std::max_element(list.begin(), list.end())));
    for (pe_id pe = -2; pe < 12; ++pe) {
      const auto found = std::find(list.begin(), list.end(), pe);
      const pe_id rank = found == list.end() ? no_pe : static_cast<pe_id>(found - list.begin());
      EXPECT_EQ(made.rank_of(pe), rank) << "PE " << pe;
      if (rank != no_pe) {
        EXPECT_EQ(made.pe(rank), pe);
      }
    }
    for (const pes& other : lists) EXPECT_EQ(made == team_members(other), list == other);
  }
  EXPECT_EQ(team_members::all(4), team_members({0, 1, 2, 3}));
  EXPECT_FALSE(team_members().fit(4));
  EXPECT_FALSE(team_members({0, 2, 2, 1}).fit(4)) << "a PE stands there twice";
  EXPECT_FALSE(team_members({3, 3}).fit(4));
}

// ---- random splits

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a = (a + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U ^ b;
  a = (a ^ a >> 29) * 0x94d049bb133111ebU;
  return a ^ a >> 32;
}

// What PE `pe` says at the split that is called `chance`.
std::optional<int> colour_of(std::uint64_t chance, pe_id pe) {
  const auto n = static_cast<int>(mixed(chance, static_cast<std::uint64_t>(pe)) % 4);
  return n == 3 ? std::nullopt : std::optional(n - 1);
}
int key_of(std::uint64_t chance, pe_id pe) {
  return static_cast<int>(mixed(chance + 1, static_cast<std::uint64_t>(pe)) % 5) - 2;
}

pes reference(std::uint64_t chance, const pes& from, int colour) {
  pes members;
  for (const pe_id pe : from) {
    if (colour_of(chance, pe) == colour) members.push_back(pe);
  }
  std::stable_sort(members.begin(), members.end(),
                   [&](pe_id a, pe_id b) { return key_of(chance, a) < key_of(chance, b); });
  return members;
}

// What bodies of epochs have caused, counted for each epoch. One thread holds all PEs, so plain variables see it all.
struct count {
  long begun = 0;
  long ended = 0;
};
std::vector<count> counts;

void spread(std::uint32_t book, std::uint64_t chance, int depth) {
  for (std::uint64_t n = depth == 0 ? 0 : chance % 3; n > 0; --n) {
    ++counts[book].begun;
    const auto to = static_cast<pe_id>(mixed(chance, n) % static_cast<std::uint64_t>(pe_count()));
    at(to).past<spread>(book, mixed(chance, n + 7), depth - 1);
  }
  ++counts[book].ended;
}

task<void> one_epoch(team t, std::uint64_t chance) {
  std::uint32_t book = 0;
  if (t.rank() == 0) {
    book = static_cast<std::uint32_t>(counts.size());
    counts.push_back({t.size(), 0});
  }
  book = co_await broadcast(t, book);
  auto body = [book, mine = mixed(chance, static_cast<std::uint64_t>(this_pe()))]() -> task<void> {
    if (mine % 2 == 0) co_await yield();
    spread(book, mine, 6);
  };
  co_await epoch(t, body);
  EXPECT_EQ(counts[book].begun, counts[book].ended) << "the epoch has ended too early";
}

task<void> use(team t, pes members, std::uint64_t chance) {
  EXPECT_EQ(t.size(), static_cast<pe_id>(members.size()));
  EXPECT_EQ(t.pe(t.rank()), this_pe());
  if (mixed(chance, static_cast<std::uint64_t>(this_pe())) % 3 == 0) {
    co_await sleep_for(std::chrono::nanoseconds(chance % 5000));
  }
  const pes all = co_await all_gather(t, this_pe());
  EXPECT_EQ(all, members);
  const auto root = static_cast<pe_id>(chance % members.size());
  const pe_id from_root = co_await broadcast(t, this_pe(), root);
  EXPECT_EQ(from_root, t.pe(root));
  const pe_id before = co_await scan(t, 1, reduce::plus);
  EXPECT_EQ(before, t.rank() + 1);
  const long sum = co_await all_reduce(t, long{this_pe()}, reduce::plus);
  EXPECT_EQ(sum, std::accumulate(members.begin(), members.end(), 0L));
}

task<void> nested(team from, pes members, std::uint64_t chance, int depth) {
  const std::optional<int> colour = colour_of(chance, this_pe());
  const team mine = co_await from.split(colour, key_of(chance, this_pe()));
  EXPECT_EQ(static_cast<bool>(mine), colour.has_value());
  if (!colour) co_return;
  const pes below = reference(chance, members, *colour);
  co_await use(mine, below, mixed(chance, 3));
  co_await one_epoch(mine, mixed(chance, 4));
  if (depth > 0) co_await nested(mine, below, mixed(chance, 5), depth - 1);
}

// Two tasks on each PE, whose teams overlap, each in collectives of its own.
task<void> program(std::uint64_t seed) {
  pes all(static_cast<std::size_t>(pe_count()));
  std::iota(all.begin(), all.end(), 0);
  const team one = co_await world().split(0), other = co_await world().split(1, -this_pe());
  EXPECT_FALSE(one == other);
  const pes reversed(all.rbegin(), all.rend());
  co_await when_all(nested(one, all, mixed(seed, 1), 3), nested(other, reversed, mixed(seed, 2), 3));
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

TEST(team, random_splits) {
  const char* chosen = std::getenv("TEAM_TEST_SEED");
  const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  for (std::uint64_t seed = first; seed < first + (TSUBU_ASAN || TSUBU_TSAN ? 20 : 100); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto count = static_cast<pe_id>(1 + seed % 13);
    test::interleaved_job job(count, seed);
    counts.clear();
    job[0].expect_programs(count);
    for (pe_id pe = 0; pe < count; ++pe) {
      if (seed % 2 == 0) job.wires()[pe].share_cores();
      job[pe];
      spawn(program(seed));
    }
    ASSERT_TRUE(job.run()) << "the job does not end";
    for (pe_id pe = 0; pe < count; ++pe) {
      EXPECT_EQ(job[pe].collectives->teams.size(), 0U) << "PE " << pe << " keeps a team that nobody names";
      EXPECT_EQ(job[pe].epochs.parts(), 0U);
    }
    if (HasFailure()) return;
  }
}

// Each PE says when its program has ended.
void run_on_three(task<void> (*program)()) {
  test::interleaved_job job(3);
  job[0].expect_programs(3);
  for (pe_id pe = 0; pe < 3; ++pe) {
    job[pe];
    spawn(program());
  }
  EXPECT_TRUE(job.run(1'000'000'000));
}

// ---- how long a record is kept

task<void> many_splits() {
  for (int i = 0; i < 10'000; ++i) {
    const team half = co_await world().split(this_pe() % 2);
    EXPECT_EQ(remote::current_pe->collectives->teams.size(), 1U);
  }
  EXPECT_EQ(remote::current_pe->collectives->teams.size(), 0U);
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}
TEST(team, ten_thousand_splits_leave_nothing) { run_on_three(many_splits); }

// To a compiler a std::optional<int> of these is no narrowing.
task<void> colours_of_all_types() {
  const std::size_t large = static_cast<std::size_t>(this_pe()) << 32 | 7;
  const team by_large = co_await world().split(large);
  EXPECT_EQ(by_large.size(), 1);
  const team by_bool = co_await world().split(this_pe() % 2 == 0);
  EXPECT_EQ(by_bool.size(), this_pe() % 2 == 0 ? 2 : 1);
  const team none = co_await world().split(std::optional<short>());
  EXPECT_FALSE(none);
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}
static_assert(!std::is_convertible_v<double, remote::team_colour>);
static_assert(!std::is_convertible_v<std::optional<double>, remote::team_colour>);
TEST(team, colours_are_integers_of_any_type) { run_on_three(colours_of_all_types); }

TEST(team, a_value_may_outlive_its_job) {
  team whole, part;
  {
    test::interleaved_job job(2);
    job[0];
    whole = world();
    part = team(job[0].collectives->teams.add_made({0, 1}, team_members({1, 0})));
  }
  EXPECT_EQ(whole.size(), 2);
  EXPECT_EQ(part.rank(), 1);
}

// What a message names, and no correct PE would.
TEST(team_death, damaged_names) {
  const auto name = [](remote::team_id id, pes members) {
    test::interleaved_job job(4);
    job[0];
    const team kept(job[0].collectives->teams.add_made({1, 7}, team_members({0, 2})));
    job[0].collectives->teams.add_heard_of(id, team_members(std::move(members)));
  };
  EXPECT_DEATH(name({1, 7}, {0, 3}), "a message names team 7 of PE 1 with other members than it has");
  EXPECT_DEATH(name({1, 8}, {0, 4}), "a message names team 8 of PE 1, whose members are no PEs");
  EXPECT_DEATH(name({4, 8}, {0, 1}), "a message names team 8 of PE 4, whose members are no PEs");
  EXPECT_DEATH(name({0, 0}, {0, 1}), "a message names the whole job with other members");
}

}  // namespace
}  // namespace tsubu::team_test
