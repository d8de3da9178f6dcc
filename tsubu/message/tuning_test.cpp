// Promise: where batches leave full, they get as large as they may, where they leave early, as small; one that leaves
// early in a crowd changes nothing; and what a batch costs is learned anew when it changes, by however much, while one
// interrupted PE counts for little.
#include "tsubu/message/tuning.hpp"

#include <gtest/gtest.h>

namespace tsubu::message {
namespace {

constexpr std::uint32_t least = 4096;
constexpr std::uint32_t most = 65536;

class tuned : public ::testing::Test {
 protected:
  // Batches that cost `cost` fill in `share` times the cost for both PEs.
  void fill(int batches, std::uint64_t cost, std::uint64_t share) {
    for (; batches > 0; --batches) own.left_full(0, now += 2 * cost * share, cost, 1);
  }

  tuning own{1, least, most};
  std::uint64_t now = 1;
};

TEST_F(tuned, a_crowd_gets_large_batches_and_a_trickle_small_ones) {
  EXPECT_EQ(own.bytes(0), most);
  for (int i = 0; i < 40; ++i) own.left_early(0, 100);
  EXPECT_EQ(own.bytes(0), least);
  fill(40, 1000, 1000);
  EXPECT_EQ(own.bytes(0), most) << "slowly, but one after the other";
}

TEST_F(tuned, what_fills_fast_grows_at_once) {
  for (int i = 0; i < 40; ++i) own.left_early(0, 100);
  fill(200, 1000, 4);
  for (int i = 0; i < 40; ++i) own.left_early(0, 100);
  EXPECT_EQ(own.bytes(0), least);
  fill(2, 1000, 4);
  EXPECT_EQ(own.bytes(0), 2 * least);
}

TEST_F(tuned, a_crowd_that_now_and_then_has_nothing_to_do_keeps_its_batches) {
  for (int i = 0; i < 100; ++i) {
    fill(1, 1000, 1000);
    own.left_early(0, 100);
  }
  EXPECT_EQ(own.bytes(0), most);
}

// As those that a PE sends to itself, or by a clock that has not ticked meanwhile; then others.
TEST_F(tuned, cheap_batches_do_not_hide_what_dear_ones_cost) {
  for (const std::uint64_t cheap : {0U, 1U, 20U}) {
    fill(200, cheap, 1000);
    fill(200, 5000, 4);
    EXPECT_EQ(own.bytes(0), most) << "after some that cost " << cheap;
    EXPECT_NEAR(static_cast<double>(own.cost()), 10'000, 100);
  }
}

TEST_F(tuned, an_interrupted_pe_counts_for_little) {
  fill(200, 1000, 4);
  const std::uint64_t before = own.cost();
  fill(1, 30'000'000, 4);
  EXPECT_LE(own.cost(), before + before / 4);
}

}  // namespace
}  // namespace tsubu::message
