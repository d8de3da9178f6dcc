// Promise: the search says of a history whether it is linearizable. Method: histories that are known to be, or not; and
// random ones, beside trying all orders.
#include "tests/linearizability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace tsubu::test {
namespace {

using enum recorded_access::kind;
constexpr std::int64_t never = recorded_access::never;

TEST(Linearizability, KnownHistories) {
  EXPECT_TRUE(linearizable({}, 0));
  EXPECT_TRUE(linearizable({{write, 1, 0, 0, 1, 5}, {read, 0, 0, 1, 2, 3}, {read, 0, 1, 1, 4, 6}}, 0));
  EXPECT_FALSE(linearizable({{write, 1, 0, 0, 1, 2}, {read, 0, 0, 1, 3, 4}}, 0)) << "an old value after a write";
  EXPECT_FALSE(linearizable({{write, 1, 0, 0, 1, 9}, {read, 0, 1, 1, 2, 3}, {read, 0, 0, 2, 4, 5}}, 0))
      << "the new value, and then the old one";
  EXPECT_FALSE(linearizable({{add, 1, 1, 0, 1, 4}, {add, 1, 1, 1, 2, 5}}, 0)) << "an addition that is lost";
  EXPECT_FALSE(linearizable({{write, 1, 0, 0, 1, 20},
                             {write, 2, 0, 1, 1, 20},
                             {read, 0, 1, 2, 2, 3},
                             {read, 0, 2, 2, 4, 5},
                             {read, 0, 2, 3, 2, 3},
                             {read, 0, 1, 3, 6, 7}},
                            0))
      << "two readers that see two writes in different orders";
  EXPECT_TRUE(linearizable({{write, 1, 0, 0, 1, never}, {read, 0, 0, 1, 5, 6}, {read, 0, 1, 1, 7, 8}}, 0));
  EXPECT_TRUE(linearizable({{write, 1, 0, 0, 1, never}, {read, 0, 0, 1, 7, 8}}, 0)) << "it may come later";
  EXPECT_FALSE(linearizable({{write, 1, 0, 0, 5, never}, {read, 0, 1, 1, 2, 3}}, 0)) << "before it is called";
}

// All orders that keep what has returned before what is called later.
bool some_order_fits(const history_of_accesses& all, long initial) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    bool fits = true;
    long value = initial;
    for (std::size_t k = 0; k < order.size() && fits; ++k) {
      const recorded_access& a = all[order[k]];
      for (std::size_t later = k + 1; later < order.size(); ++later)
        fits = fits && all[order[later]].returned > a.called;
      if (a.what == write) value = a.argument;
      if (a.what == add) value += a.argument;
      if (a.what != write) fits = fits && a.result == value;
    }
    if (fits) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

TEST(Linearizability, RandomHistories) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    std::mt19937_64 random(seed);
    const auto roll = [&](long n) { return static_cast<long>(random() % static_cast<std::uint64_t>(n)); };
    history_of_accesses all;
    for (long i = 1 + roll(6); i > 0; --i) {
      const std::int64_t called = roll(12);
      all.push_back({static_cast<recorded_access::kind>(roll(3)), roll(3), roll(4), 0, called, called + 1 + roll(6)});
    }
    const bool fits = some_order_fits(all, 0);
    good += fits ? 1 : 0;
    ASSERT_EQ(linearizable(all, 0), fits) << "seed " << seed << '\n' << described(all);
  }
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace tsubu::test
