// Promise: a PE's number on its node and the PE of that number are inverse, however the ranks lie; PEs of other nodes
// have none.
#include "tsubu/transport/mpi/node_map.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tsubu::transport::mpi {
namespace {

void expect_numbers(const std::vector<int>& ranks, int pes_per_rank, const std::vector<pe_id>& pes, pe_id job) {
  const node_map map(ranks, pes_per_rank);
  EXPECT_EQ(map.pe_count(), static_cast<int>(pes.size()));
  std::vector<pe_id> found;
  for (pe_id pe = 0; pe < job; ++pe) {
    const int number = map.number_of(pe);
    if (number < 0) continue;
    EXPECT_EQ(number, static_cast<int>(found.size()));
    EXPECT_EQ(map.pe_of(number), pe);
    found.push_back(pe);
  }
  EXPECT_EQ(found, pes);
}

TEST(node_map, ranks_in_a_block) {
  expect_numbers({0}, 1, {0}, 3);
  expect_numbers({2, 3}, 1, {2, 3}, 6);
  expect_numbers({1, 2}, 3, {3, 4, 5, 6, 7, 8}, 12);
}

TEST(node_map, ranks_dealt_like_cards) {
  expect_numbers({1, 3, 5}, 1, {1, 3, 5}, 6);
  expect_numbers({0, 2}, 2, {0, 1, 4, 5}, 8);
  expect_numbers({1, 4, 5}, 2, {2, 3, 8, 9, 10, 11}, 12);
}

}  // namespace
}  // namespace tsubu::transport::mpi
