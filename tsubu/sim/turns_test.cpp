// Promises: turns come in the order of (picoseconds, PE), and of each PE only the last that it was given; a batch
// has the room that it needs, and what it holds moves with it.
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

TEST(batch_pool, a_batch_becomes_larger_as_it_fills_and_leaves_no_larger_than_it_has_to_be) {
  batch_pool pool(5000);
  transport::batch* const small = pool.acquire();
  EXPECT_EQ(small->capacity, 128U);
  small->from = 1;
  std::memset(small->data(), 7, 100);
  EXPECT_EQ(pool.with_room_for(128, small, 100), small);
  transport::batch* const large = pool.with_room_for(4097, small, 100);
  EXPECT_EQ(large->capacity, 5000U) << "the most";
  EXPECT_EQ(large->from, 1);
  EXPECT_EQ(static_cast<int>(large->data()[99]), 7);
  EXPECT_EQ(pool.acquire(), small) << "it is free";

  large->size = 4097;
  EXPECT_EQ(pool.shrunk(large), large) << "what it holds needs it";
  large->size = 257;
  large->to = 2;
  large->data()[256] = std::byte{9};
  transport::batch* const shrunk = pool.shrunk(large);
  EXPECT_EQ(shrunk->capacity, 384U);
  EXPECT_EQ(shrunk->from, 1);
  EXPECT_EQ(shrunk->to, 2);
  EXPECT_EQ(shrunk->size, 257U);
  EXPECT_EQ(static_cast<int>(shrunk->data()[256]), 9);
  transport::batch* const again = pool.with_room_for(5000, shrunk, 0);
  EXPECT_EQ(again, large) << "it was free";
  EXPECT_EQ(pool.with_room_for(5000, again, 0), again);
}

}  // namespace
}  // namespace tsubu::sim
