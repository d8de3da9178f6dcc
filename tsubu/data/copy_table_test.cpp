// Promise: the table finds what is in it and nothing else, whatever came and went before, in memory that follows what
// is in it. Method: random additions and removals, beside a map.
#include "tsubu/data/copy_table.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <unordered_map>
#include <vector>

namespace tsubu::data {
namespace {

TEST(CopyTable, FindsWhatIsInIt) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    copy_table table;
    std::deque<copy_of<long>> copies;
    std::unordered_map<std::uint64_t, copy*> expected;
    const std::uint32_t names = seed % 2 == 0 ? 50 : 5000;
    for (int i = 0; i < 20'000; ++i) {
      const std::uint32_t n = static_cast<std::uint32_t>(random() % names);
      const key name = n % 3 == 0 ? key::of_element(n % 7, n) : key::of_variable(static_cast<pe_id>(n % 5), n, 0);
      const auto there = expected.find(name.bits());
      ASSERT_EQ(table.find(name), there == expected.end() ? nullptr : there->second);
      if (there != expected.end()) {
        table.remove(name);
        expected.erase(there);
      } else {
        copies.emplace_back(name);
        table.add(copies.back());
        expected[name.bits()] = &copies.back();
      }
      ASSERT_EQ(table.size(), expected.size());
    }
    std::size_t seen = 0;
    table.for_each([&](copy& c) {
      ++seen;
      EXPECT_EQ(expected.at(c.name.bits()), &c);
    });
    EXPECT_EQ(seen, expected.size());
    EXPECT_LE(table.bytes(), 9 * 4 * std::max<std::size_t>(names, 16));
  }
}

}  // namespace
}  // namespace tsubu::data
