// Promises: turns come in the order of (picoseconds, PE), and of each PE only the last that it was given; a small
// message does not keep a large batch, and what a batch holds moves with it.
#include "tsubu/sim/turns.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tsubu/sim/batch_pool.hpp"

namespace tsubu::sim {
namespace {

std::vector<pe_id> all_of(turn_queue& turns) {
  std::vector<pe_id> order;
  while (turns.next() != nullptr) order.push_back(turns.take().pe);
  return order;
}

TEST(turns, the_least_time_and_then_the_least_number) {
  turn_queue turns(4);
  EXPECT_EQ(turns.next(), nullptr);
  turns.give(3, 10);
  turns.give(1, 20);
  turns.give(2, 10);
  turns.give(0, 30);
  EXPECT_EQ(all_of(turns), (std::vector<pe_id>{2, 3, 1, 0}));
}

TEST(turns, the_last_that_was_given_stands) {
  turn_queue turns(2);
  turns.give(0, 10);
  turns.give(1, 20);
  turns.give(0, 30);  // later
  turns.give(1, 5);   // sooner
  EXPECT_EQ(turns.next()->ps, 5);
  EXPECT_EQ(all_of(turns), (std::vector<pe_id>{1, 0}));
}

TEST(batch_pool, a_packet_or_two_move_to_a_small_batch) {
  batch_pool pool(4096);
  transport::batch* const large = pool.acquire();
  EXPECT_EQ(large->capacity, 4096U);
  large->from = 1;
  large->to = 2;
  large->size = 100;
  std::memset(large->data(), 7, 100);
  transport::batch* const small = pool.shrunk(large);
  EXPECT_LT(small->capacity, 4096U);
  EXPECT_EQ(small->from, 1);
  EXPECT_EQ(small->to, 2);
  EXPECT_EQ(small->size, 100U);
  EXPECT_EQ(static_cast<int>(small->data()[99]), 7);
  EXPECT_EQ(pool.shrunk(small), small);

  transport::batch* const again = pool.acquire();
  EXPECT_EQ(again, large) << "it was free";
  EXPECT_EQ(again->size, 0U);
  again->size = 4000;
  EXPECT_EQ(pool.shrunk(again), again) << "what it holds needs it";
  pool.give_back(small);
  pool.give_back(again);
}

}  // namespace
}  // namespace tsubu::sim
