// Shortest paths from one vertex to all others: delta-stepping, a message a relaxation.
//
// Vertices wait in buckets by their distance so far, each `delta` wide. The first bucket that holds any is emptied
// again and again over the edges that are shorter than delta, since these may lead back into it; when it stays empty,
// its distances are final, and the longer edges are relaxed once. Source: Meyer, Sanders, Delta-stepping: a
// parallelizable shortest path algorithm, J. Algorithms 49, 2003.
#pragma once

#include <limits>
#include <vector>

#include "apps/graph/sparse_rows.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace sssp {

inline constexpr double unreached = std::numeric_limits<double>::infinity();
inline constexpr graph::vertex nobody = ~graph::vertex{0};

// Buckets are laid out over the largest weight: more than this many of them would be too many.
inline constexpr double most_buckets = 1e6;

// What is known of the paths to this PE's vertices.
struct paths {
  std::vector<double> distance;
  std::vector<graph::vertex> parent;  // the vertex before it on a shortest path; of the source, itself
  std::int64_t relaxations = 0;       // messages sent, everywhere
  std::int64_t buckets = 0;           // that held a vertex
};

// Row u holds the edges from u, with positive weights of at most `largest`; largest / most_buckets <= delta. `graph`
// and `shown` must live until the task has ended. Collective.
tsubu::task<paths> find(const graph::sparse_rows* graph, graph::vertex source, double largest, double delta,
                        program::progress* shown);

struct verdict {
  std::int64_t reached = 0;
  std::int64_t shorter = 0;    // edges that would lead to their end sooner
  std::int64_t unfounded = 0;  // reached vertices whose parent has no edge of just the right length
  std::int64_t endless = 0;    // edges to vertices that nothing but paths too long for a double lead to
  double farthest = 0;
  bool source = false;  // its distance is 0
};

// Distances that no edge can shorten, and that edges explain, are the shortest ones as weights are positive.
// Collective.
tsubu::task<verdict> inspect(const graph::sparse_rows* graph, graph::vertex source, const paths* found);

// Compares with Dijkstra's algorithm on `whole`, which is all of the graph on PE 0, and not looked at elsewhere. How
// many distances differ. Collective.
tsubu::task<std::int64_t> compare_with_dijkstra(const graph::sparse_rows* whole, graph::vertex source,
                                                const paths* found);

}  // namespace sssp
