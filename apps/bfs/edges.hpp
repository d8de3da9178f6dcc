// The list of edges that the graph is built of and its searches are validated with: made, or read from a file.
#pragma once

#include <string>
#include <vector>

#include "apps/bfs/kronecker.hpp"
#include "apps/bfs/vertex.hpp"
#include "tsubu/task/task.hpp"

namespace bfs {

struct edge_list {
  std::uint64_t vertices = 0;  // of the whole graph
  std::uint64_t edges = 0;     // of the whole graph
  std::vector<edge> here;      // about as many on each PE
  std::string trouble;         // if not empty, one line on what is wrong with the file, the same on every PE
};

// Local: every PE makes its part.
edge_list make_edges(const kronecker& graph);

// From a Matrix Market file or an edge list, a message for each edge. What the file says twice, as 1 2 and 2 1 for
// instance, is two edges; an entry of a symmetric matrix is one. Collective.
tsubu::task<edge_list> read_edges(std::string file);

}  // namespace bfs
