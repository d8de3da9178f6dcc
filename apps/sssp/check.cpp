// Are these the shortest paths? By the conditions that they must meet, and by another algorithm.
#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "apps/sssp/paths.hpp"

namespace sssp {

using namespace tsubu;
using graph::cyclic;
using graph::sparse_rows;
using graph::vertex;

namespace {

constexpr std::int64_t burst = 1000;

struct inspection {
  const sparse_rows* graph = nullptr;
  const paths* found = nullptr;
  std::int64_t shorter = 0;
  std::int64_t unfounded = 0;
  std::int64_t endless = 0;
  std::int64_t different = 0;
};

}  // namespace

static pe_local<inspection> seen;

void see_edge(vertex local, double distance) {
  seen->shorter += distance < seen->found->distance[local] ? 1 : 0;
  seen->endless += !std::isfinite(distance) && seen->found->distance[local] == unreached ? 1 : 0;
}

// On the owner of the parent.
void see_parent(vertex local_parent, vertex child, double distance) {
  const auto columns = seen->graph->columns_of(local_parent);
  const auto edge = std::lower_bound(columns.begin(), columns.end(), child);
  const bool there = edge != columns.end() && *edge == child;
  const bool right =
      there && distance == seen->found->distance[local_parent] +
                               seen->graph->values_of(local_parent)[static_cast<std::size_t>(edge - columns.begin())];
  seen->unfounded += right ? 0 : 1;
}

void see_distance(vertex local, double distance) {
  seen->different += distance != seen->found->distance[local] ? 1 : 0;
}

task<verdict> inspect(const sparse_rows* graph, vertex source, const paths* found) {
  const cyclic share = graph->share;
  *seen = {.graph = graph, .found = found};
  co_await barrier();

  verdict here;
  std::int64_t sent = 0;
  for (vertex local = 0; local < graph->local_rows(); ++local) {
    const double distance = found->distance[local];
    if (distance == unreached) continue;
    ++here.reached;
    here.farthest = std::max(here.farthest, distance);
    const vertex parent = found->parent[local];
    if (share.global(local) == source) {
      here.source = distance == 0;
    } else if (parent >= graph->rows) {
      ++here.unfounded;
    } else {
      at(share.owner(parent)).past<see_parent>(share.local(parent), share.global(local), distance);
    }
    for (std::uint64_t k = graph->start[local]; k < graph->start[local + 1]; ++k) {
      const vertex to = graph->column[k];
      at(share.owner(to)).past<see_edge>(share.local(to), distance + graph->value[k]);
      if (++sent % burst == 0) co_await room_everywhere();
    }
  }
  co_await quiescence();

  verdict all;
  all.reached = co_await all_reduce(here.reached, reduce::plus);
  all.shorter = co_await all_reduce(seen->shorter, reduce::plus);
  all.unfounded = co_await all_reduce(here.unfounded + seen->unfounded, reduce::plus);
  all.endless = co_await all_reduce(seen->endless, reduce::plus);
  all.farthest = co_await all_reduce(here.farthest, reduce::max);
  all.source = co_await all_reduce(here.source, reduce::any);
  co_return all;
}

namespace {

// Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1, 1959.
std::vector<double> dijkstra(const sparse_rows& whole, vertex source) {
  using place = std::pair<double, vertex>;
  std::vector<double> distance(whole.rows, unreached);
  std::priority_queue<place, std::vector<place>, std::greater<>> next;
  distance[source] = 0;
  next.emplace(0, source);
  while (!next.empty()) {
    const auto [so_far, from] = next.top();
    next.pop();
    if (so_far > distance[from]) continue;
    for (std::uint64_t k = whole.start[from]; k < whole.start[from + 1]; ++k) {
      const double then = so_far + whole.value[k];
      if (then >= distance[whole.column[k]]) continue;
      distance[whole.column[k]] = then;
      next.emplace(then, whole.column[k]);
    }
  }
  return distance;
}

}  // namespace

task<std::int64_t> compare_with_dijkstra(const sparse_rows* whole, vertex source, const paths* found) {
  *seen = {.found = found};
  co_await barrier();
  if (this_pe() == 0) {
    const cyclic share{.pe = 0, .pes = static_cast<vertex>(pe_count())};
    const std::vector<double> distance = dijkstra(*whole, source);
    for (vertex v = 0; v < whole->rows; ++v)
      co_await at(share.owner(v)).past<see_distance>(share.local(v), distance[v]);
  }
  co_await quiescence();
  co_return co_await all_reduce(seen->different, reduce::plus);
}

}  // namespace sssp
