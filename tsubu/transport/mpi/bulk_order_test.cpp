// Promise: batches of a pair are handed out in the order in which they came, bulks among them; a bulk gets its place
// when what came before it from the same pair has been handed out, and not before; pairs do not wait for each other.
// Method: random arrivals of a few pairs, places and landings at random times, compared with the order of arrival.
#include "tsubu/transport/mpi/bulk_order.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>
#include <vector>

namespace tsubu::transport::mpi {
namespace {

constexpr std::size_t pairs = 3;
constexpr int arrivals = 3000;

TEST(bulk_order, of_random_arrivals) {
  std::mt19937 random(3);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  bulk_order order(pairs);
  batch_queue ready;
  std::deque<batch> all;
  std::deque<batch*> expected[pairs];
  std::vector<std::size_t> moving;  // pairs whose bulk has its place
  std::size_t left = 0;
  const auto hand_out = [&] {
    while (batch* b = ready.pop()) {
      const auto pair = static_cast<std::size_t>(b->from);
      ASSERT_EQ(b, expected[pair].front());
      expected[pair].pop_front();
      --left;
    }
  };
  for (int i = 0; i < arrivals || left != 0;) {
    const std::size_t what = below(4);
    if (what < 2 && i < arrivals) {
      const std::size_t pair = below(pairs);
      batch* b = &all.emplace_back();
      b->from = static_cast<pe_id>(pair);
      b->bulk_bytes = below(3) == 0 ? 1 : 0;
      expected[pair].push_back(b);
      ++left;
      ++i;
      if (b->is_bulk() || order.holds(pair)) {
        EXPECT_FALSE(order.waits_for(pair, b));
        order.hold(pair, b);
      } else {
        ready.push(b);
      }
    } else if (what == 2) {
      hand_out();
      order.place_all([&](batch* head) {
        const auto pair = static_cast<std::size_t>(head->from);
        ASSERT_TRUE(head->is_bulk());
        ASSERT_EQ(head, expected[pair].front()) << "what came before it has been handed out";
        EXPECT_TRUE(order.waits_for(pair, head));
        moving.push_back(pair);
      });
      EXPECT_FALSE(order.has_unplaced());
    } else if (!moving.empty()) {
      const std::size_t chosen = below(moving.size());
      const std::size_t pair = moving[chosen];
      moving.erase(moving.begin() + static_cast<std::ptrdiff_t>(chosen));
      EXPECT_TRUE(order.holds(pair));
      order.landed(pair, ready);
    }
    if (::testing::Test::HasFatalFailure()) return;
    if (i == arrivals) hand_out();
  }
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    EXPECT_TRUE(expected[pair].empty());
    EXPECT_FALSE(order.holds(pair));
    EXPECT_EQ(order.bulks(pair), 0U);
  }
}

}  // namespace
}  // namespace tsubu::transport::mpi
