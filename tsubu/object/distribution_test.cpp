// Promise: a distribution gives each element of an array one home and a number that no other element has there, and
// names a PE's own elements in order. Method: all small sizes and numbers of PEs, against a table.
#include "tsubu/object/distribution.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace tsubu {
namespace {

pe_id last_first(std::size_t i, std::size_t n) { return i + 1 == n ? 0 : static_cast<pe_id>(i % 2); }

template <class D>
void check_all(const D& d, pe_id least_pes) {
  for (pe_id pes = least_pes; pes <= 7; ++pes) {
    for (std::size_t n = 0; n <= 40; ++n) {
      std::set<std::pair<pe_id, std::size_t>> names;
      std::vector<std::vector<std::size_t>> by_home(static_cast<std::size_t>(pes));
      for (std::size_t i = 0; i < n; ++i) {
        const pe_id home = d.home(i, n, pes);
        ASSERT_TRUE(0 <= home && home < pes) << i << " of " << n << " on " << pes;
        ASSERT_LT(d.number(i, n, pes), d.numbers(n, pes)) << i << " of " << n << " on " << pes;
        ASSERT_TRUE(names.insert({home, d.number(i, n, pes)}).second) << i << " of " << n << " on " << pes;
        by_home[static_cast<std::size_t>(home)].push_back(i);
      }
      for (pe_id pe = 0; pe < pes; ++pe) {
        std::vector<std::size_t> own;
        d.for_each_on(pe, n, pes, [&own](std::size_t i) { own.push_back(i); });
        ASSERT_EQ(own, by_home[static_cast<std::size_t>(pe)]) << n << " on " << pes;
      }
    }
  }
}

TEST(distribution, blocks_name_each_element_once) { check_all(by_block(), 1); }
TEST(distribution, cycles_name_each_element_once) { check_all(by_cycle(), 1); }
TEST(distribution, a_map_names_each_element_once) { check_all(by_map<&last_first>(), 2); }

TEST(distribution, blocks_differ_by_one_element_at_most) {
  for (const std::size_t n : {0U, 1U, 6U, 7U, 8U, 100U}) {
    std::vector<std::size_t> sizes(7, 0);
    for (std::size_t i = 0; i < n; ++i) ++sizes[static_cast<std::size_t>(by_block().home(i, n, 7))];
    for (const std::size_t size : sizes) EXPECT_TRUE(size == n / 7 || size == n / 7 + 1) << n;
  }
}

}  // namespace
}  // namespace tsubu
