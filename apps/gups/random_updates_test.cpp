#include "apps/gups/random_updates.hpp"

#include <gtest/gtest.h>

namespace {

TEST(random_updates, starts_is_as_many_steps_from_1) {
  std::uint64_t x = 1;
  for (std::int64_t n = 0; n < 5000; ++n) {
    ASSERT_EQ(gups::starts(n), x) << "after " << n << " steps";
    x = gups::next(x);
  }
}

TEST(random_updates, a_far_start_goes_on_as_the_stream) {
  for (const std::int64_t n : {std::int64_t{1} << 31, std::int64_t{1} << 47, gups::period - 2})
    EXPECT_EQ(gups::next(gups::starts(n)), gups::starts(n + 1)) << "after " << n << " steps";
}

// The period that HPCC gives: it comes back to 1, and does not do so earlier, at a divisor.
TEST(random_updates, the_period_is_that_of_hpcc) {
  EXPECT_EQ(gups::starts(gups::period), 1U);
  EXPECT_EQ(gups::next(gups::starts(gups::period - 1)), 1U);
  for (const std::int64_t prime : {7, 73, 127, 337, 92737, 649657}) {
    ASSERT_EQ(gups::period % prime, 0);
    EXPECT_NE(gups::starts(gups::period / prime), 1U) << "a period of 1/" << prime;
  }
}

}  // namespace
