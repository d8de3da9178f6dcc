// Kernel 2: breadth-first search from one root, level by level.
//
// Downwards, a message goes along each edge that leaves the frontier. Upwards, each vertex that is not reached yet
// looks for a neighbour in the frontier, of which all PEs have a bitmap, and stops at the first. Where the frontier is
// a large part of the graph, as in the middle of a search in a graph of short ways, that looks at few of the edges.
//
// Source: S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.
#pragma once

#include <vector>

#include "apps/bfs/adjacency.hpp"

namespace bfs {

using level = std::int32_t;
inline constexpr level unreached = -1;

enum class direction {
  down,    // always
  either,  // upwards where that looks at fewer edges, and the bitmap is no larger than most_bitmap_bytes
};
inline constexpr std::uint64_t most_bitmap_bytes = std::uint64_t{16} << 20;

// What a search has found, by own index. The root is its own parent; a vertex out of reach has the parent nobody.
struct search_tree {
  std::vector<vertex> parent;
  std::vector<level> depth;
};

// Overwrites `found`; `g` and it must stay until the task ends. Collective.
tsubu::task<void> search(const adjacency& g, vertex root, direction way, search_tree& found);

}  // namespace bfs
