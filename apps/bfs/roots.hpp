// Where the searches begin: vertices with a neighbour, drawn at random without repetition.
#pragma once

#include <vector>

#include "apps/bfs/adjacency.hpp"

namespace bfs {

// `wanted` roots, or all vertices that have a neighbour if they are fewer; the same whatever the number of PEs.
// Collective; the same on every PE.
tsubu::task<std::vector<vertex>> choose_roots(const adjacency& g, std::size_t wanted, std::uint64_t seed);

}  // namespace bfs
