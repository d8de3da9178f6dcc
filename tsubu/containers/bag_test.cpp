// Promise: a bag keeps what was put into it, in its order while it is balanced and gathered; vectors that are gathered
// are one behind the other; the first k of all are those of gather(), sorted stably, and nobody sends more than k of
// them a step. Method: uneven bags over random interleavings of 1 to 5 PEs and on 70.
#include "tsubu/containers/bag.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/top_k.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/remote/memory/parts.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

task<void> balancing_keeps_the_order(pe_id me) {
  auto b = co_await create_bag<std::string>();
  const std::uint64_t mine = me % 3 == 0 ? dice() % 50 : 0;
  for (std::uint64_t i = 0; i < mine; ++i) b.insert(std::to_string(me) + "." + std::to_string(i));
  const std::vector<std::string> before = co_await b.gather();
  const std::size_t all = co_await b.size();
  co_await b.balance();
  EXPECT_LE(b.size_here(), all / all_pes().size() + 1);
  EXPECT_GE(b.size_here(), all / all_pes().size());
  EXPECT_EQ(co_await b.gather(), before);
  co_await barrier();
  co_await b.past().insert(0, "from " + std::to_string(me));
  co_await b.now().insert(pe_count() - 1, "asked");
  co_await quiescence();
  EXPECT_EQ(co_await b.size(), all + 2 * all_pes().size());
  const long asked = std::ranges::count(b.here(), std::string("asked"));
  EXPECT_EQ(asked, me == pe_count() - 1 ? pe_count() : 0);
  co_await b.end();
}
TEST(Bag, BalancingKeepsTheOrder) { run_many(balancing_keeps_the_order); }

// Many are equal, so that it is seen which of them come first; the longest texts fit no batch.
task<void> the_first_of_all(pe_id me) {
  using element = std::pair<int, std::string>;
  auto b = co_await create_bag<element>();
  const std::uint64_t mine = me % 3 == 1 ? 0 : dice() % 60;
  for (std::uint64_t i = 0; i < mine; ++i) {
    const std::string text = std::to_string(me) + '.' + std::to_string(i);
    b.insert({static_cast<int>(dice() % 8), text + std::string(i == 7 ? 3000 : 0, '.')});
  }
  std::vector<element> all = co_await b.gather();
  all = co_await broadcast(std::move(all));
  std::ranges::stable_sort(all, std::ranges::less(), &element::first);
  const auto less = [](const element& x, const element& y) { return x.first < y.first; };
  std::vector<element> own;
  std::ranges::copy(b.here(), std::back_inserter(own));
  for (const std::size_t k : {0U, 1U, 2U, 25U, 70U, 10'000U}) {
    const std::vector<element> found = co_await top_k(b, k, less);
    EXPECT_EQ(co_await top_k(own, k, less), found);
    EXPECT_EQ(found, std::vector<element>(all.begin(), all.begin() + static_cast<long>(std::min(k, all.size())))) << k;
  }
  co_await b.end();
}
TEST(TopK, IsTheBeginOfAllInAStableOrder) { run_many(the_first_of_all); }

// As a tree does it, what a PE sends grows with the number of its steps, not with the number of PEs.
task<void> the_first_of_many(pe_id me) {
  constexpr std::size_t k = 100;
  auto b = co_await create_bag<long>();
  for (std::size_t i = 0; i < 2 * k; ++i) b.insert(static_cast<long>(dice()));
  co_await barrier();
  const std::uint64_t before = remote::current_pe->messages.counted().bytes_sent;
  const std::vector<long> least = co_await top_k(b, k, std::less<>());
  const std::uint64_t sent = remote::current_pe->messages.counted().bytes_sent - before;
  EXPECT_EQ(least.size(), k);
  EXPECT_EQ(least[0], *std::ranges::min_element(least));
  const auto steps = 2 + std::bit_width(static_cast<std::uint32_t>(pe_count()));
  EXPECT_LT(sent, static_cast<std::uint64_t>(steps) * (k * sizeof(long) + 500)) << "PE " << me;
  co_await b.end();
}
TEST(TopK, SendsNoMoreThanKElementsAStep) {
  for (const pe_id pes : {2, 3, 64, 100}) run_all(pes, 1, the_first_of_many);
}

task<void> an_element_while_walked(pe_id) {
  auto b = co_await create_bag<int>();
  b.insert(1);
  for (const int element : b.here()) b.insert(element + 1);
}
TEST(BagDeathTest, AnElementIsRefusedWhileItIsWalked) {
  EXPECT_DEATH(run_all(1, 1, an_element_while_walked), "walked by line [0-9]+ of .*, and an element comes meanwhile");
}

}  // namespace
}  // namespace tsubu::containers_test
