// Counts the triangles of a graph: bale's kernel triangle, a message a wedge. A vertex with the neighbours v and w asks
// the owner of one of them whether the other one is its neighbour.
#pragma once

#include "apps/graph/sparse_rows.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace triangle {

// Which corner of a triangle looks at the other two, so that each is seen once.
enum class corner {
  highest,  // rows hold the lower neighbours: a strictly lower triangular matrix
  lowest,   // rows hold the higher ones
};

struct tally {
  std::int64_t triangles = 0;
  std::int64_t wedges = 0;  // messages
};

// Both everywhere. Columns ascend in each row. `graph` and `shown` must live until the task has ended. Collective.
tsubu::task<tally> count(const graph::sparse_rows* graph, corner from, program::progress* shown);

// The same of a whole strictly lower triangular matrix, without messages: neighbour lists are intersected. Local.
std::int64_t count_serially(const graph::sparse_rows& lower);

}  // namespace triangle
