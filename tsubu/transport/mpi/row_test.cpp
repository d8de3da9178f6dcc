// Promise: where nodes hold blocks of PEs, or every n-th PE, one dimension of the grid lies inside the nodes.
// Method: jobs dealt to nodes in both ways, what their ranks see, and each pair of PEs of that dimension.
#include "tsubu/transport/mpi/row.hpp"

#include <gtest/gtest.h>

#include "tsubu/transport/grid.hpp"

namespace tsubu::transport::mpi {
namespace {

pe_id row_for(int ranks, int pes_per_rank, int (*node_of)(int rank, int nodes), int nodes) {
  row_seen least{.block = ranks * pes_per_rank, .stride = 1};
  for (int own = 0; own < ranks; ++own) {
    std::vector<int> sharers;
    for (int rank = 0; rank < ranks; ++rank) {
      if (node_of(rank, nodes) == node_of(own, nodes)) sharers.push_back(rank);
    }
    const row_seen seen = row_seen_by(own, sharers, ranks, pes_per_rank);
    least = {std::min(least.block, seen.block), std::max(least.stride, seen.stride)};
  }
  return row_of(least, ranks * pes_per_rank);
}

int by_turns(int rank, int nodes) { return rank % nodes; }
int blocks_of(int rank, int width) { return rank / width; }

TEST(row, is_a_block_of_pes_that_no_node_cuts) {
  EXPECT_EQ(row_for(16, 1, blocks_of, 4), 4);
  EXPECT_EQ(row_for(16, 4, blocks_of, 4), 16);
  EXPECT_EQ(row_for(96, 1, blocks_of, 48), 16);
  EXPECT_EQ(row_for(20, 1, blocks_of, 8), 8) << "the last row is cut off, and its node too";
  EXPECT_EQ(row_for(9, 1, blocks_of, 3), 0);
  EXPECT_EQ(row_for(9, 4, by_turns, 3), 4) << "the PEs of a rank";
}

TEST(row, reaches_all_nodes_where_ranks_were_dealt_to_them) {
  EXPECT_EQ(row_for(8, 1, by_turns, 2), 2);
  EXPECT_EQ(row_for(8, 1, by_turns, 4), 4);
  EXPECT_EQ(row_for(8, 1, by_turns, 3), 0);
}

TEST(row, is_none_on_one_node_and_on_nodes_of_one_pe) {
  EXPECT_EQ(row_for(8, 1, by_turns, 1), 0);
  EXPECT_EQ(row_for(8, 1, by_turns, 8), 0);
}

// Whatever way a packet takes, one of its two links stays inside a node.
TEST(row, lets_a_packet_leave_its_node_once) {
  for (const int nodes : {2, 4, 8}) {
    for (const auto node_of : {by_turns, blocks_of}) {
      const int ranks = 24;
      const pe_id row = row_for(ranks, 1, node_of, nodes);
      if (row == 0) continue;
      for (pe_id from = 0; from < ranks; ++from) {
        for (pe_id to = 0; to < ranks; ++to) {
          int cables = 0;
          for (pe_id at = from; at != to;) {
            const pe_id next = grid(ranks, at, {2, row}).next(to);
            cables += node_of(at, nodes) != node_of(next, nodes) ? 1 : 0;
            at = next;
          }
          EXPECT_LE(cables, 1) << from << " to " << to << ", rows of " << row;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tsubu::transport::mpi
