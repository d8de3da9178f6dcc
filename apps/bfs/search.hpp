// Kernel 2: breadth-first search from one root. A message for each edge that leaves a reached vertex.
#pragma once

#include <vector>

#include "apps/bfs/adjacency.hpp"

namespace bfs {

using level = std::int32_t;
inline constexpr level unreached = -1;

// What a search has found, by own index. The root is its own parent; a vertex out of reach has the parent nobody.
struct search_tree {
  std::vector<vertex> parent;
  std::vector<level> depth;
};

// Overwrites `found`; `g` and it must stay until the task ends. Collective.
tsubu::task<void> search(const adjacency& g, vertex root, search_tree& found);

}  // namespace bfs
