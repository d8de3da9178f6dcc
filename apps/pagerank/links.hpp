// The links to this PE's pages, in a block for each PE that has pages they come from; and the sums over them.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/sparse_rows.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace pagerank {

using graph::vertex;

// The links from the pages of one PE. Page `to[k]` of this PE has those from `from[start[k]]` to `from[start[k + 1]]`,
// and each `from` is the place of a weight among those that come from that PE.
struct link_block {
  std::vector<vertex> to;  // ascending, and none without a link
  std::vector<std::uint64_t> start{0};
  std::vector<vertex> from;
};

// Adds to the sum of each page the weights of the pages that link to it.
void add_weights(const link_block& block, const double* weights, double* sums);

struct links {
  graph::cyclic share;
  vertex pages = 0;                // everywhere
  std::vector<link_block> blocks;  // by PE; `from` is a page's number there
  std::vector<vertex> outgoing;    // links from each of this PE's pages

  vertex pages_here() const { return static_cast<vertex>(outgoing.size()); }
};

// Row u of the graph holds the pages that page u links to; it is there until the task has ended, and so is `shown`.
// Collective.
tsubu::task<links> make_links(const graph::sparse_rows* graph, program::progress* shown);

}  // namespace pagerank
