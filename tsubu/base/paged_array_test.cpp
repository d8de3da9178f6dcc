// Promise: a paged array's elements are new until they are used and stay where they are; unused pages are not made.
// Method: a few uses in an array of a million; elements count themselves.
#include "tsubu/base/paged_array.hpp"

#include <gtest/gtest.h>

namespace tsubu {
namespace {

struct counted {
  inline static std::size_t made = 0;
  counted() { ++made; }
  int value = 5;
};

TEST(paged_array, makes_what_is_used) {
  counted::made = 0;
  paged_array<counted> all(1'000'000);
  EXPECT_EQ(counted::made, 0U);
  counted& last = all[999'999];
  EXPECT_EQ(last.value, 5);
  last.value = 6;
  all[0].value = 7;
  all[1].value = 8;
  EXPECT_EQ(counted::made, 2 * paged_array<counted>::page_size);
  EXPECT_EQ(&all[999'999], &last);
  int sum = 0, elements = 0;
  all.for_each_made([&](const counted& one) {
    sum += one.value;
    ++elements;
  });
  EXPECT_EQ(elements, 2 * static_cast<int>(paged_array<counted>::page_size));
  EXPECT_EQ(sum, 6 + 7 + 8 + 5 * (elements - 3));
}

}  // namespace
}  // namespace tsubu
