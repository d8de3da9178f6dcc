// Promise: the stream is x' = 5^13 x mod 2^46, and entering it at any position gives what drawing up to there gives.
// Method: compare with the 128-bit definition, draw by draw, and skip with drawing.
#include "apps/npb/random.hpp"

#include <gtest/gtest.h>

namespace {

__extension__ typedef unsigned __int128 wide;

TEST(random_stream, follows_its_definition) {
  npb::random_stream stream;
  wide state = npb::random_seed;
  for (int i = 0; i < 10'000; ++i) {
    state = state * 1220703125u % (wide{1} << 46);
    const double drawn = stream.next();
    ASSERT_EQ(stream.state(), static_cast<std::uint64_t>(state));
    ASSERT_EQ(drawn, static_cast<double>(stream.state()) / 70368744177664.0);
    ASSERT_GT(drawn, 0);
    ASSERT_LT(drawn, 1);
  }
}

TEST(random_stream, can_be_entered_anywhere) {
  npb::random_stream stream;
  for (std::uint64_t draws = 0; draws < 3'000; ++draws) {
    ASSERT_EQ(npb::skip(npb::random_seed, draws), stream.state()) << draws;
    stream.next();
  }
  // Two skips are one skip of their sum, far out too.
  const std::uint64_t far = (std::uint64_t{1} << 40) + 12345;
  EXPECT_EQ(npb::skip(npb::skip(npb::random_seed, far), 678), npb::skip(npb::random_seed, far + 678));
  // Every odd state has period 2^44.
  EXPECT_EQ(npb::skip(npb::random_seed, std::uint64_t{1} << 44), npb::random_seed);
  EXPECT_NE(npb::skip(npb::random_seed, std::uint64_t{1} << 43), npb::random_seed);
}

}  // namespace
