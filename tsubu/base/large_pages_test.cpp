// Promise: memory of any size from large_pages holds values, is aligned for them, and to a large page if it is one.
#include "tsubu/base/large_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace tsubu {
namespace {

TEST(large_pages, hold_tables_of_any_size) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, large_page_bytes / 8 - 1, large_page_bytes / 8,
                              3 * large_page_bytes / 8 + 5}) {
    std::vector<std::uint64_t, large_pages<std::uint64_t>> table(n);
    const auto at = reinterpret_cast<std::uintptr_t>(table.data());
    EXPECT_EQ(at % (n * 8 < large_page_bytes ? small_alignment : large_page_bytes), 0U);
    std::iota(table.begin(), table.end(), std::uint64_t{1});
    EXPECT_EQ(std::accumulate(table.begin(), table.end(), std::uint64_t{0}), n * (n + 1) / 2);
  }
}

TEST(large_pages, more_than_there_can_be) {
  large_pages<std::uint64_t> pages;
  EXPECT_THROW((void)pages.allocate(std::numeric_limits<std::size_t>::max() / 4), std::bad_array_new_length);
}

}  // namespace
}  // namespace tsubu
