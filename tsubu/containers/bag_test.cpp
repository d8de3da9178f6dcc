// Promise: a bag keeps what was put into it, in its order while it is balanced and gathered; vectors that are gathered
// are one behind the other. Method: uneven bags over random interleavings of 1 to 5 PEs and on 70.
#include "tsubu/containers/bag.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/top_k.hpp"
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

task<void> the_first_of_all(pe_id me) {
  auto b = co_await create_bag<int>();
  for (int i = 0; i < 20; ++i) b.insert(1000 - 20 * me - i);
  const std::vector<int> least = co_await top_k(b, 25, std::less<>());
  EXPECT_EQ(least.size(), std::min<std::size_t>(25, 20 * all_pes().size()));
  for (std::size_t i = 0; i < least.size(); ++i) {
    EXPECT_EQ(least[i], 1001 - 20 * pe_count() + static_cast<int>(i));
  }
  co_await b.end();
}
TEST(Bag, TheFirstOfAll) { run_many(the_first_of_all); }

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
