// Promise: a set has what was inserted and not erased; a counting set counts each key as often as it came, whatever is
// merged on the way, and its epoch waits for what is deferred; keys that repeat are merged, and where none does the
// cache is switched off. Method: programs over random interleavings of 1 to 5 PEs, compared with sequential counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/counting_set.hpp"
#include "tsubu/containers/set.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

task<void> a_set_has_what_was_inserted(pe_id me) {
  auto s = co_await create_set<std::string>();
  auto odd = co_await create_set<long>([](long key, pe_id pes) { return static_cast<pe_id>(key % pes); });
  for (long i = 0; i < 30; ++i) {
    co_await s.past().insert(std::to_string(i));
    co_await odd.past().insert(i);
  }
  co_await quiescence();
  EXPECT_EQ(co_await s.size(), 30u);
  co_await s.now().insert("by PE " + std::to_string(me));
  EXPECT_EQ(co_await s.size(), 30u + all_pes().size());  // nobody has waited for the others
  EXPECT_FALSE(co_await s.now().insert("7"));
  EXPECT_TRUE(co_await s.now().contains("7"));
  co_await barrier();
  for (long i = me; i < 30; i += pe_count()) {
    if (i % 2 == 0) {
      EXPECT_TRUE(co_await odd.now().erase(i));
    }
  }
  co_await quiescence();
  std::vector<long> mine(odd.here().begin(), odd.here().end());
  EXPECT_TRUE(std::ranges::all_of(mine, [me](long key) { return key % 2 == 1 && key % pe_count() == me; }));
  EXPECT_EQ(co_await odd.size(), 15u);
  EXPECT_EQ(odd.contains_here(1), odd.home(1) == me);
  co_await s.end();
  co_await odd.end();
}
TEST(Set, HasWhatWasInserted) { run_many(a_set_has_what_was_inserted); }

// Key i comes often if i is small.
std::size_t skewed(std::size_t keys) { return dice() % (1 + dice() % keys); }

task<void> counts_are_exact(pe_id) {
  auto words = co_await create_counting_set<std::string>();
  auto numbers = co_await create_counting_set<std::uint32_t>();
  std::vector<long> sums(50);
  for (int i = 0; i < 300; ++i) {
    const std::size_t key = skewed(sums.size());
    const auto n = static_cast<std::int64_t>(1 + dice() % 3);
    sums[key] += n;
    co_await words.insert((key % 2 == 0 ? "word " : "a word of many letters ") + std::to_string(key), n);
    co_await numbers.insert(static_cast<std::uint32_t>(key), n);
    if (dice() % 64 == 0) co_await yield();
  }
  co_await quiescence();
  const std::vector<long> all = co_await all_reduce(sums, reduce::plus);
  for (std::uint32_t key = 0; key < all.size(); ++key) {
    EXPECT_EQ(co_await numbers.now().count(key), all[key]);
    EXPECT_EQ(co_await words.future().count((key % 2 == 0 ? "word " : "a word of many letters ") + std::to_string(key)),
              all[key]);
  }
  std::vector<std::pair<std::uint32_t, std::int64_t>> expected;
  for (std::uint32_t key = 0; key < all.size(); ++key) expected.emplace_back(key, all[key]);
  std::ranges::sort(expected, [](const auto& a, const auto& b) {
    return std::pair(-a.second, a.first) < std::pair(-b.second, b.first);
  });
  expected.resize(7);
  EXPECT_EQ(co_await numbers.top_k(7), expected);
  EXPECT_EQ((co_await numbers.top_k(0)).size(), 0u);
  EXPECT_EQ(co_await numbers.total(), std::accumulate(all.begin(), all.end(), 0L));
  EXPECT_EQ(co_await numbers.size(),
            static_cast<std::size_t>(std::ranges::count_if(all, [](long n) { return n > 0; })));
  co_await words.end();
  co_await numbers.end();
}
TEST(CountingSet, CountsAreExact) { run_many(counts_are_exact); }

// What is deferred belongs to the epoch in which it was counted.
task<void> an_epoch_waits_for_what_is_kept(pe_id me) {
  auto words = co_await create_counting_set<long>();
  auto outside = co_await create_counting_set<long>();
  auto insert = [words, me]() -> task<void> {
    for (int i = 0; i < 100; ++i) co_await words.insert(me * 1000 + i % 10);
  };
  co_await outside.insert(me);
  co_await epoch(insert);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(co_await words.now().count(me * 1000 + i), 10);
  co_await quiescence();
  co_await words.end();
  co_await outside.end();
}
TEST(CountingSet, AnEpochWaitsForWhatIsKept) { run_many(an_epoch_waits_for_what_is_kept); }

// Messages that PE 0 has sent for 200,000 keys of which `kinds` are different.
std::uint64_t sent_for(std::size_t kinds, std::size_t& slots) {
  static std::size_t of_keys = 0, slots_at_the_end = 0;
  static std::uint64_t sent = 0;
  of_keys = kinds;
  run_all(2, 1, [](pe_id me) -> task<void> {
    auto s = co_await create_counting_set<std::uint64_t>();
    const std::uint64_t before = remote::current_pe->messages.counted().packets_sent;
    if (me == 0) {
      for (int i = 0; i < 200'000; ++i) {
        co_await s.insert(dice() % of_keys);
        if (i % 1000 == 0) co_await yield();
      }
      slots_at_the_end = containers::part_here<containers::counting_set_part<std::uint64_t>>(0).kept.slots();
    }
    co_await quiescence();
    if (me == 0) sent = remote::current_pe->messages.counted().packets_sent - before;
    EXPECT_EQ(co_await s.total(), 200'000);
    co_await s.end();
  });
  slots = slots_at_the_end;
  return sent;
}
TEST(CountingSet, MergesWhereKeysRepeat) {
  std::size_t slots = 0;
  EXPECT_LT(sent_for(100, slots), 30'000u);
  EXPECT_EQ(slots, 1024u);  // no more would be found in more
  sent_for(5'000, slots);
  EXPECT_GT(slots, 1024u);
  const std::uint64_t sent = sent_for(10'000'000, slots);
  EXPECT_EQ(slots, 0u);  // it is switched off
  EXPECT_GT(sent, 90'000u);
  EXPECT_LT(sent, 110'000u);  // half of the keys are counted where they came
}

task<void> a_new_key_while_walked(pe_id) {
  auto s = co_await create_counting_set<long>();
  co_await s.insert(1);
  for (const auto& [key, n] : s.here()) {
    co_await s.insert(key);  // is there
    co_await s.insert(key + 1);
  }
}
TEST(CountingSetDeathTest, ANewKeyIsRefusedWhileItsHomeIsWalked) {
  EXPECT_DEATH(run_all(1, 1, a_new_key_while_walked), "walked by line [0-9]+ of .*, and a new key comes meanwhile");
}

}  // namespace
}  // namespace tsubu::containers_test
