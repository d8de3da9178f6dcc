// What disjoint sets are made of by our benchmark and its peer: a random graph with twice as many edges as vertices, of
// which each PE says an equal share; and the number of its parts by which the answers are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bench/workload.hpp"

namespace bench {

using graph_edge = std::pair<std::uint64_t, std::uint64_t>;

// Those of one PE of several. Vertices are any 64-bit numbers.
inline std::vector<graph_edge> make_graph_edges(std::uint64_t vertices, std::size_t pe, std::size_t pes) {
  std::vector<graph_edge> edges(2 * vertices / pes);
  random_source random(pe + 1);
  for (auto& [from, to] : edges) {
    from = random_source(random.next() % vertices).next();
    to = random_source(random.next() % vertices).next();
  }
  return edges;
}

}  // namespace bench
