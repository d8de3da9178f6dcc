// The rows of the job's grid: one of its dimensions is to lie inside the nodes.
//
// Launchers fill node after node, or deal the ranks to the nodes one by one. In the first case blocks of PEs whose
// numbers differ in their low bits share a node, and are the rows; in the second those that differ in their high bits
// do, and are the columns, so that a row reaches all nodes.
#pragma once

#include <algorithm>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::transport::mpi {

// What one rank sees of it.
struct row_seen {
  // The most, a power of two, so that each aligned block of so many PEs that has one of its PEs is on its node.
  pe_id block = 1;
  // The least, a power of two, so that all PEs are that differ by a multiple of it from one of its PEs.
  pe_id stride = 1;
};

// `sharers`: the ranks of the node, this one among them, ascending.
inline row_seen row_seen_by(int own, const std::vector<int>& sharers, int ranks, int pes_per_rank) {
  const pe_id pes = ranks * pes_per_rank, first = own * pes_per_rank, end = first + pes_per_rank;
  const auto is_near = [&](pe_id pe) { return std::binary_search(sharers.begin(), sharers.end(), pe / pes_per_rank); };
  const auto block_is_near = [&](pe_id of) {
    const pe_id from = first / of * of, to = std::min(pes, (end + of - 1) / of * of);
    for (pe_id pe = from; pe < to; ++pe) {
      if (!is_near(pe)) return false;
    }
    return true;
  };
  const auto stride_is_near = [&](pe_id of) {
    for (pe_id pe = first; pe < end; ++pe) {
      for (pe_id other = pe % of; other < pes; other += of) {
        if (!is_near(other)) return false;
      }
    }
    return true;
  };
  row_seen seen;
  while (seen.block < pes && block_is_near(2 * seen.block)) seen.block *= 2;
  while (seen.stride < pes && !stride_is_near(seen.stride)) seen.stride *= 2;
  return seen;
}

// PEs of a row, of what all ranks have seen: the least block and the largest stride. 0 if no dimension fits.
inline pe_id row_of(row_seen least, pe_id pes) {
  if (least.block > 1 && least.block < pes) return least.block;
  return least.stride > 1 && least.stride < pes ? least.stride : 0;
}

}  // namespace tsubu::transport::mpi
