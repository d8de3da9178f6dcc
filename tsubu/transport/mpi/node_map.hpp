// Which PEs of the job share memory with this one, and what numbers they have among themselves.
//
// Ranks hold the same number of PEs each. The ranks of a node are numbered in ascending order, and so are their PEs.
// Most launchers place ranks on nodes in blocks; then all of it is one subtraction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::transport::mpi {

class node_map {
 public:
  // `ranks`: those of the node, ascending.
  node_map(std::vector<int> ranks, int pes_per_rank)
      : ranks_(std::move(ranks)),
        pes_per_rank_(pes_per_rank),
        first_(ranks_.front() * pes_per_rank),
        count_(static_cast<int>(ranks_.size()) * pes_per_rank),
        in_a_block_(ranks_.back() - ranks_.front() + 1 == static_cast<int>(ranks_.size())) {}

  int pe_count() const { return count_; }

  // The number of a PE of the job on this node; -1: it is on another.
  int number_of(pe_id pe) const {
    if (in_a_block_) [[likely]] {
      const int number = pe - first_;
      return number >= 0 && number < count_ ? number : -1;
    }
    const int rank = pe / pes_per_rank_;
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    if (found == ranks_.end() || *found != rank) return -1;
    return static_cast<int>(found - ranks_.begin()) * pes_per_rank_ + pe % pes_per_rank_;
  }

  pe_id pe_of(int number) const {
    if (in_a_block_) [[likely]]
      return first_ + number;
    return ranks_[static_cast<std::size_t>(number / pes_per_rank_)] * pes_per_rank_ + number % pes_per_rank_;
  }

 private:
  const std::vector<int> ranks_;
  const int pes_per_rank_;
  const pe_id first_;
  const int count_;
  const bool in_a_block_;
};

}  // namespace tsubu::transport::mpi
