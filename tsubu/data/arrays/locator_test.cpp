// Promise: a locator finds what the distribution says. Method: each element of small arrays; random ones of large
// arrays.
#include "tsubu/data/arrays/locator.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tsubu::data {
namespace {

template <class D>
void compare(std::uint64_t index, std::uint64_t size, pe_id pes) {
  const location found = locator(size, pes).find<D>(index);
  ASSERT_EQ(found.home, D().home(index, size, pes)) << index << " of " << size << " on " << pes << " PEs";
  ASSERT_EQ(found.number, D().number(index, size, pes)) << index << " of " << size << " on " << pes << " PEs";
}

TEST(Locator, FindsWhatTheDistributionSays) {
  for (std::uint64_t size = 1; size < 60; ++size) {
    for (pe_id pes = 1; pes < 20; ++pes) {
      for (std::uint64_t i = 0; i < size; ++i) {
        compare<by_block>(i, size, pes);
        compare<by_cycle>(i, size, pes);
      }
    }
  }
  std::mt19937_64 random(1);
  for (int n = 0; n < 200'000; ++n) {
    const auto pes = static_cast<pe_id>(1 + random() % (std::uint64_t{1} << random() % 20));
    const std::uint64_t most = std::uint64_t{0xffffffff} * static_cast<std::uint64_t>(pes);
    const std::uint64_t size = 1 + random() % std::min(most, std::uint64_t{1} << (1 + random() % 40));
    compare<by_block>(random() % size, size, pes);
    compare<by_cycle>(random() % size, size, pes);
    compare<by_block>(size - 1, size, pes);
  }
}

TEST(Locator, DividesExactly) {
  std::mt19937_64 random(2);
  for (int n = 0; n < 1'000'000; ++n) {
    const std::uint64_t d = 1 + random() % (std::uint64_t{1} << (1 + random() % 40));
    const std::uint64_t i = random() >> (14 + random() % 40);
    ASSERT_EQ(divider(d)(i), i / d) << i << " / " << d;
    const std::uint64_t multiple = i / d * d;
    ASSERT_EQ(divider(d)(multiple), multiple / d);
    if (multiple != 0) {
      ASSERT_EQ(divider(d)(multiple - 1), (multiple - 1) / d);
    }
  }
}

}  // namespace
}  // namespace tsubu::data
