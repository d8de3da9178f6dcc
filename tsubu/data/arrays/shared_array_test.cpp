// Promise: each element of a shared array is a variable of its own, wherever the distribution puts it; spans are read
// and written as their elements would be; an element that nobody shares costs a bit. Method: small programs over
// random interleavings of the PEs, under each protocol and distribution.
#include "tsubu/data/arrays/shared_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/shared_job.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::data_test {
namespace {

constexpr std::size_t size = 23;

pe_id to_the_last(std::size_t i, std::size_t n) { return i < n / 2 ? pe_count() - 1 : 0; }

template <class D>
task<void> elements_are_variables(pe_id me) {
  auto a = co_await create_shared_array<long>(size, D(), how, 0L);
  for (std::size_t i = 0; i < size; ++i) {
    co_await a[i].template change<add_and_get>(static_cast<long>(i));
    if (dice() % 4 == 0) {
      EXPECT_GE(co_await a[i].read(), static_cast<long>(i));
    }
    a[(i + 1) % size].add(100);
  }
  co_await quiescence();
  const auto expected = [](std::size_t i) { return (static_cast<long>(i) + 100) * pe_count(); };
  for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(co_await a[i].read(), expected(i));
  std::vector<long> all(size);
  co_await a.read(0, all);
  for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(all[i], expected(i));
  co_await barrier();

  if (me == pe_count() - 1) {
    std::iota(all.begin(), all.end(), 5L);
    co_await a.write(3, std::span<const long>(all).first(size - 3));
  }
  co_await barrier();
  std::vector<long> part(10);
  co_await a.read(3, part);
  EXPECT_EQ(part[0], 5);
  EXPECT_EQ(part[9], 14);
  // The PEs agree on one.
  co_await a.set_protocol(protocol{static_cast<std::uint8_t>(co_await broadcast(dice() % protocols))});
  co_await a[7].template change<add_and_get>(1L);
  co_await barrier();
  EXPECT_EQ(co_await a[7].read(), 9 + pe_count());
  co_await a.end();
}
TEST(SharedArray, ElementsAreVariables) {
  run_many(elements_are_variables<by_block>);
  run_many(elements_are_variables<by_cycle>);
  run_many(elements_are_variables<by_map<to_the_last>>);
}

task<void> tiles_are_elements(pe_id me) {
  auto rows = co_await create_shared_array<std::vector<double>>(static_cast<std::size_t>(pe_count()), by_block(), how,
                                                                std::vector<double>(100));
  const auto mine = static_cast<std::size_t>(me);
  co_await rows[mine].write(std::vector<double>(50, me));
  co_await barrier();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(co_await rows[i].read(), std::vector<double>(50, static_cast<double>(i)));
  }
  co_await rows.end();
}
TEST(SharedArray, TilesAreElements) { run_many(tiles_are_elements, 5); }

// Two PEs write neighbours: each goes to its writer once, and is written there (no false sharing).
task<void> neighbours_do_not_disturb(pe_id me) {
  auto a = co_await create_shared_array<char>(2, by_block(), protocol::invalidate, char{0});
  const auto other = static_cast<std::size_t>(1 - me);
  co_await a[other].write('a');
  co_await quiescence();
  const std::uint64_t before = remote::current_pe->messages.sent();
  for (int i = 0; i < 100; ++i) co_await a[other].write('b');
  EXPECT_EQ(remote::current_pe->messages.sent(), before);
  co_await barrier();
  EXPECT_EQ(co_await a[0].read(), 'b');
  EXPECT_EQ(co_await a[1].read(), 'b');
  co_await barrier();
}
TEST(SharedArray, NeighboursDoNotDisturb) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) run_all(2, seed, neighbours_do_not_disturb);
}

// Past accesses to own elements and to those of others, of which some are shared: a PE finds its own done.
template <class D>
task<void> past_accesses_to_random_elements(pe_id me) {
  auto sums = co_await create_shared_array<long>(size, D(), how, 0L);
  auto least = co_await create_shared_array<short>(size, D(), how, short{1000});
  auto last = co_await create_shared_array<double>(size, D(), how, -1.0);
  std::vector<long> added(size), low(size, 1000);
  std::vector<double> mine(size, -1.0);  // what this PE has put; each element is put to by one PE
  for (int step = 0; step < 120; ++step) {
    const std::size_t i = dice() % size;
    const long by = static_cast<long>(dice() % 900);
    sums[i].add(by);
    added[i] += by;
    least[i].template add<reduce::min>(static_cast<short>(by));
    low[i] = std::min(low[i], by);
    if (i % static_cast<std::size_t>(pe_count()) == static_cast<std::size_t>(me)) {
      last[i].put(mine[i] = static_cast<double>(by));
      if (dice() % 2 == 0) {
        EXPECT_EQ(co_await last[i].read(), mine[i]);
      }
    }
    if (dice() % 16 == 0) {
      EXPECT_GE(co_await sums[i].read(), added[i]);
      EXPECT_LE(co_await least[i].read(), low[i]);
      co_await last[i].read();
    }
    if (step == 60) co_await quiescence();
  }
  co_await quiescence();
  added = co_await all_reduce(added, reduce::plus);
  low = co_await all_reduce(low, reduce::min);
  mine = co_await all_reduce(mine, reduce::max);
  for (std::size_t i = 0; i < size; ++i) {
    EXPECT_EQ(co_await sums[i].read(), added[i]);
    EXPECT_EQ(co_await least[i].read(), low[i]);
    EXPECT_EQ(co_await last[i].read(), mine[i]);
  }
  co_await barrier();
}
TEST(SharedArray, PastAccessesToRandomElements) {
  run_many(past_accesses_to_random_elements<by_block>, 5);
  run_many(past_accesses_to_random_elements<by_cycle>, 5);
  run_many(past_accesses_to_random_elements<by_map<to_the_last>>, 5);
}

// What has been shared and is not any more is unshared again.
task<void> records_go(pe_id me) {
  auto a = co_await create_shared_array<long>(1000, by_block(), protocol::invalidate, 0L);
  auto& mine = data::this_space().array_of<long>(a.number(), data::value_type_of<long>, me);
  for (std::size_t i = 0; i < a.size(); ++i) co_await a[i].read();
  co_await barrier();
  EXPECT_EQ(mine.recorded().size(), 500U);
  co_await barrier();
  std::vector<std::size_t> here;
  a.for_each_here([&](std::size_t i) { here.push_back(i); });
  for (const std::size_t i : here) co_await a[i].write(1);
  EXPECT_EQ(mine.recorded().size(), 0U);
  co_await barrier();
}
TEST(SharedArray, RecordsGo) { run_all(2, 1, records_go); }

// An array may end in an epoch while it changes its protocol, which nobody has asked for.
task<void> use_and_end(pe_id me) {
  auto a = co_await create_shared_array(64, by_block(), protocol::adaptive, 0L);
  const auto times = static_cast<int>(250 + dice() % 250);
  for (int i = 0; i < times; ++i) {
    const std::size_t element = dice() % 4;  // all on PE 0
    if ((i / 100) % 2 == 1) {
      co_await a[element].change<add_and_get>(1L);
    } else if (dice() % 20 == 0) {
      co_await a[element].write(me);
    } else {
      co_await a[element].read();
    }
  }
  co_await a.end();
}
task<void> adaptive_ends_in_an_epoch(pe_id me) {
  for (int i = 0; i < 20; ++i) {
    const auto body = [me]() -> task<void> { co_await use_and_end(me); };
    co_await epoch(body);
  }
}
TEST(SharedArray, AdaptiveEndsInAnEpoch) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) run_all(4, seed, adaptive_ends_in_an_epoch);
}

// Only the home of an element says what happens to the copies of it, wherever the distribution puts that.
template <class D>
task<void> invalidates_anothers_element(pe_id me) {
  auto a = co_await create_shared_array<long>(size, D(), how, 0L);
  if (me == 1) co_await a[0].read();
  co_await barrier();
  if (me == 2) remote::send<data::invalidate>(1, data::key::of_element(0, 0), false);
  co_await a.end();
}
TEST(SharedArray, RefusesMessagesOfOthersThanTheHome) {
  const std::string text =
      "PE 2 says something about the copy of element 0 of shared array 0 on PE 1, which hears of it";
  how = protocol::invalidate;
  EXPECT_EXIT(run_all(3, 1, invalidates_anothers_element<by_block>), testing::ExitedWithCode(1),
              text + " from its home, PE 0");
  EXPECT_EXIT(run_all(3, 1, invalidates_anothers_element<by_cycle>), testing::ExitedWithCode(1),
              text + " from its home, PE 0");
}

}  // namespace
}  // namespace tsubu::data_test
