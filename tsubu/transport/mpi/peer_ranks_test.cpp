// Promise: a rank has a lane to each rank that one of its PEs sends to over the grid and that is on another node, and
// to no other; both ranks of a pair have one, or neither. So what the receives take does not grow with the job.
#include "tsubu/transport/mpi/peer_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tsubu/transport/mpi/credits.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {
namespace {

// The ranks of a node: blocks of `width`, or dealt like cards to so many nodes.
std::vector<int> block_of(int rank, int ranks, int width) {
  std::vector<int> sharers;
  for (int r = rank / width * width; r < std::min(ranks, (rank / width + 1) * width); ++r) sharers.push_back(r);
  return sharers;
}
std::vector<int> hand_of(int rank, int ranks, int nodes) {
  std::vector<int> sharers;
  for (int r = rank % nodes; r < ranks; r += nodes) sharers.push_back(r);
  return sharers;
}

bool holds(const std::vector<int>& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

void expect_lanes(int ranks, int pes_per_rank, grid_shape shape, std::vector<int> (*node_of)(int, int, int),
                  int width) {
  std::vector<peer_ranks> of;
  for (int own = 0; own < ranks; ++own) {
    of.emplace_back(ranks, pes_per_rank, shape, own, node_of(own, ranks, width));
  }
  const pe_id pes = ranks * pes_per_rank;
  for (int own = 0; own < ranks; ++own) {
    const peer_ranks& peers = of[static_cast<std::size_t>(own)];
    std::vector<bool> needed(static_cast<std::size_t>(ranks));
    for (pe_id pe = own * pes_per_rank; pe < (own + 1) * pes_per_rank; ++pe) {
      for (pe_id to = 0; to < pes; ++to) {
        needed[static_cast<std::size_t>(grid(pes, pe, shape).next(to) / pes_per_rank)] = true;
      }
    }
    for (int other = 0; other < ranks; ++other) {
      const int lane = peers.lane_of(other);
      EXPECT_EQ(lane == peer_ranks::none, of[static_cast<std::size_t>(other)].lane_of(own) == peer_ranks::none);
      EXPECT_TRUE(lane == peer_ranks::none || peers.ranks()[static_cast<std::size_t>(lane)] == other);
      const bool near = other == own || holds(node_of(own, ranks, width), other);
      EXPECT_TRUE(!near || lane == peer_ranks::none);
      EXPECT_TRUE(near || !needed[static_cast<std::size_t>(other)] || lane != peer_ranks::none);
    }
  }
}

TEST(peer_ranks, are_those_that_a_rank_sends_to_through_mpi) {
  for (const grid_shape shape : {grid_shape{1}, grid_shape{2}, grid_shape{2, 4}, grid_shape{3}}) {
    for (const int ranks : {2, 5, 12, 33}) {
      for (const int pes_per_rank : {1, 3}) {
        expect_lanes(ranks, pes_per_rank, shape, block_of, 4);
        expect_lanes(ranks, pes_per_rank, shape, hand_of, 3);
      }
    }
  }
}

TEST(peer_ranks, are_few_in_large_jobs) {
  constexpr int ranks = 1024;
  const grid_shape shape = usual_shape(ranks);
  EXPECT_EQ(peer_ranks(ranks, 1, shape, 0, block_of(0, ranks, 1)).count(), 62U);
  // The node holds two rows, and so one of the column's 31.
  EXPECT_EQ(peer_ranks(ranks, 1, shape, 0, block_of(0, ranks, 64)).count(), 30U);
  // Rows that are nodes: one partner in each of the 15 others.
  EXPECT_EQ(peer_ranks(ranks, 1, usual_shape(ranks, 64), 0, block_of(0, ranks, 64)).count(), 15U);
}

// 16 nodes of 64 ranks: a lane to each rank of the job took 64 MiB.
TEST(peer_ranks, receives_fit_the_memory_for_them) {
  for (const int ranks : {128, 1000, 1024, 10'000}) {
    const grid_shape shape = usual_shape(ranks);
    const int links = link_count(ranks, shape);
    const std::size_t batch_bytes = usual_batch_bytes(links, shape.hops);
    for (const int width : {1, 2, 16, 64}) {
      for (const int own : {0, 77, ranks - 1}) {
        const std::size_t peers = peer_ranks(ranks, 1, shape, own, block_of(own, ranks, width)).count();
        const std::uint32_t limit = credit_limit(peers, links, batch_bytes);
        EXPECT_LE((receive_count(peers, limit) - spare_receives) * batch_bytes, receive_memory(links))
            << ranks << " ranks, " << width << " on a node";
      }
    }
  }
}

}  // namespace
}  // namespace tsubu::transport::mpi
