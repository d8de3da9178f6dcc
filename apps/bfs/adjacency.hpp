// Kernel 1: the graph as adjacency lists, each on the PE that owns its vertex.
#pragma once

#include <span>
#include <vector>

#include "apps/bfs/vertex.hpp"
#include "tsubu/task/task.hpp"

namespace bfs {

struct adjacency {
  std::uint64_t vertices;  // of all PEs
  ownership where;
  std::vector<std::uint64_t> first;  // by own index: where its neighbours begin; one more for the end
  std::vector<vertex> neighbours;    // of each own vertex ascending, each once, without itself

  std::size_t own() const { return first.size() - 1; }
  std::span<const vertex> around(vertex index) const {
    return std::span(neighbours).subspan(first[index], first[index + 1] - first[index]);
  }
};

// `edges` of this PE, both ends below `vertices`; they must stay until the task ends. Each is undirected; repeated ones
// and self-loops are dropped. A message for each edge and direction. Collective.
tsubu::task<adjacency> make_adjacency(std::uint64_t vertices, std::span<const edge> edges);

}  // namespace bfs
