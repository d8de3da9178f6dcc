// The tree of the PEs along which news of the whole job travels: a binomial tree with PE 0 at its root.
//
// A PE's parent has its number without the lowest bit that is set, so each edge of the tree changes one bit, and the
// PEs below a PE have the numbers that follow its own. It is at most ceil(log2 P) edges deep.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu {

// The parent of a PE; PE 0 has none and must not be asked for.
constexpr pe_id tree_parent(pe_id pe) { return pe & (pe - 1); }

// The subtree of `pe`, itself included, has this many PEs: pe, pe + 1, ...
constexpr pe_id tree_size(pe_id pe, pe_id pes) { return pe == 0 ? pes : std::min(pe & -pe, pes - pe); }

// Calls f(child) for each of the children of `pe` among `pes` PEs, the one with the largest subtree first.
template <class F>
constexpr void for_each_child(pe_id pe, pe_id pes, F f) {
  pe_id bit = static_cast<pe_id>(std::bit_ceil(static_cast<std::uint32_t>(tree_size(pe, pes))));
  while ((bit /= 2) > 0) {
    if (pe + bit < pes) f(pe + bit);
  }
}

constexpr int count_children(pe_id pe, pe_id pes) {
  int children = 0;
  for_each_child(pe, pes, [&children](pe_id) { ++children; });
  return children;
}

}  // namespace tsubu
