// The ranks that a rank has lanes to: they hold a neighbour, on the grid, of one of its PEs, and share no memory with
// it. Packets go to neighbours only, and what stays on a node does not touch MPI; so a lane to any other rank would
// hold receives that no message ever comes to.
//
// Two ranks either have a lane to each other or have none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/transport/grid.hpp"

namespace tsubu::transport::mpi {

class peer_ranks {
 public:
  static constexpr int none = -1;

  // The peers of rank `own` in a job of so many ranks. `sharers`: those that share memory with it.
  peer_ranks(int ranks, int pes_per_rank, grid_shape shape, int own, const std::vector<int>& sharers)
      : lane_of_(static_cast<std::size_t>(ranks), none) {
    const pe_id pes = ranks * pes_per_rank;
    for (pe_id pe = own * pes_per_rank; pe < (own + 1) * pes_per_rank; ++pe) {
      const grid links(pes, pe, shape);
      for (int link = 0; link < links.links(); ++link) {
        const pe_id neighbour = links.neighbour(link);
        if (neighbour < pes) ranks_.push_back(neighbour / pes_per_rank);
      }
    }
    std::sort(ranks_.begin(), ranks_.end());
    ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
    std::erase_if(ranks_, [&](int rank) {
      return rank == own || std::find(sharers.begin(), sharers.end(), rank) != sharers.end();
    });
    for (std::size_t lane = 0; lane < ranks_.size(); ++lane) {
      lane_of_[static_cast<std::size_t>(ranks_[lane])] = static_cast<int>(lane);
    }
  }

  // By lane, ascending.
  const std::vector<int>& ranks() const { return ranks_; }
  std::size_t count() const { return ranks_.size(); }

  // `none`, if there is no lane to that rank.
  int lane_of(int rank) const { return lane_of_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<int> ranks_;
  std::vector<int> lane_of_;  // by rank
};

}  // namespace tsubu::transport::mpi
