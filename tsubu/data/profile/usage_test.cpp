#include "tsubu/data/profile/usage.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tsubu/base/random.hpp"

namespace tsubu::data {
namespace {

TEST(Usage, SpreadsEvenlyBetweenTheTimes) {
  usage u;
  u.add(6, 2, 0, 4 * u.width_ns - 1);
  EXPECT_EQ(u.reads_in[0] + u.reads_in[1], 3U);
  EXPECT_EQ(u.reads_in[2] + u.reads_in[3], 3U);
  EXPECT_EQ(u.writes_in[0] + u.writes_in[1], 1U);
  EXPECT_EQ(u.reads_in[4], 0U);
}

TEST(Usage, SetsOneInTheMiddle) {
  usage u;
  u.add(1, 0, 0, 5 * u.width_ns - 1);
  EXPECT_EQ(u.reads_in[2], 1U);
}

TEST(Usage, WidensItsSlicesWithTheTime) {
  usage u;
  const std::int64_t first_ns = u.width_ns, slices = usage::slices;
  u.add(1, 0, 0, 0);
  u.add(2, 0, first_ns * slices, first_ns * slices);
  EXPECT_EQ(u.width_ns, 2 * first_ns);
  EXPECT_EQ(u.reads_in[0], 1U);
  EXPECT_EQ(u.reads_in[usage::slices / 2], 2U);
}

TEST(Usage, LosesNothing) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  random_source random(seed);
  usage sum;
  std::uint64_t reads = 0, writes = 0;
  for (int i = 0; i < 200; ++i) {
    usage one;
    for (int k = 0; k < 20; ++k) {
      const auto a = static_cast<std::int64_t>(random.below(1'000'000'000)),
                 b = static_cast<std::int64_t>(random.below(1'000'000'000));
      const std::uint64_t r = random.below(1000), w = random.below(10);
      one.add(r, w, a, b);  // also backwards in time: what is told late
      reads += r;
      writes += w;
    }
    sum.add(one);
  }
  EXPECT_EQ(sum.reads(), reads);
  EXPECT_EQ(sum.writes(), writes);
}

}  // namespace
}  // namespace tsubu::data
