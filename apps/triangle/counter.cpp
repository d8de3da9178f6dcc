#include "apps/triangle/counter.hpp"

#include <algorithm>

namespace triangle {

using namespace tsubu;
using graph::cyclic;
using graph::sparse_rows;
using graph::vertex;

namespace {

struct counting {
  const sparse_rows* rows = nullptr;
  std::int64_t triangles = 0;
};

}  // namespace

static pe_local<counting> state;

void close_wedge(vertex local_row, vertex column) {
  const auto columns = state->rows->columns_of(local_row);
  state->triangles += std::binary_search(columns.begin(), columns.end(), column) ? 1 : 0;
}

task<tally> count(const sparse_rows* graph, corner from, program::progress* shown) {
  constexpr std::int64_t burst = 1000;
  const cyclic share = graph->share;
  state->rows = graph;
  state->triangles = 0;
  co_await barrier();

  std::int64_t wedges = 0;
  for (vertex local = 0; local < graph->local_rows(); ++local) {
    const auto neighbours = graph->columns_of(local);
    for (std::size_t high = 1; high < neighbours.size(); ++high) {
      for (std::size_t low = 0; low < high; ++low) {
        // The one asked is the one in whose row the edge between them is.
        const vertex asked = neighbours[from == corner::highest ? high : low];
        const vertex other = neighbours[from == corner::highest ? low : high];
        at(share.owner(asked)).past<close_wedge>(share.local(asked), other);
        if (++wedges % burst == 0) {
          shown->at("vertex", local, graph->local_rows());
          co_await room_everywhere();
        }
      }
    }
  }
  co_await quiescence();

  tally found;
  found.triangles = co_await all_reduce(state->triangles, reduce::plus);
  found.wedges = co_await all_reduce(wedges, reduce::plus);
  co_return found;
}

std::int64_t count_serially(const sparse_rows& lower) {
  std::int64_t triangles = 0;
  for (vertex row = 0; row < lower.local_rows(); ++row) {
    const auto of_row = lower.columns_of(row);
    for (const vertex column : of_row) {
      const auto of_column = lower.columns_of(column);
      auto a = of_row.begin(), b = of_column.begin();
      while (a != of_row.end() && b != of_column.end()) {
        triangles += *a == *b ? 1 : 0;
        const bool a_moves = *a <= *b;
        if (*b <= *a) ++b;
        if (a_moves) ++a;
      }
    }
  }
  return triangles;
}

}  // namespace triangle
