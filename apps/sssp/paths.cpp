#include "apps/sssp/paths.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sssp {

using namespace tsubu;
using graph::cyclic;
using graph::sparse_rows;
using graph::vertex;

namespace {

constexpr std::int64_t burst = 1000;
constexpr std::uint64_t no_bucket = ~std::uint64_t{0};

struct search {
  paths found;
  double delta = 1;
  std::vector<std::vector<vertex>> buckets;  // a ring: only so many are in use at a time

  std::uint64_t bucket_of(double distance) const { return static_cast<std::uint64_t>(distance / delta); }
  std::vector<vertex>& bucket(std::uint64_t number) { return buckets[number % buckets.size()]; }
};

}  // namespace

static pe_local<search> state;

void relax(vertex local, double distance, vertex parent) {
  search& s = *state;
  if (distance >= s.found.distance[local]) return;
  s.found.distance[local] = distance;
  s.found.parent[local] = parent;
  s.bucket(s.bucket_of(distance)).push_back(local);
}

namespace {

enum class edges { light, heavy };

// Relaxes those edges of the vertices. Ends before the messages have been executed.
task<void> relax_edges(const sparse_rows* graph, const std::vector<vertex>* of, edges which, std::int64_t* sent) {
  const search& s = *state;
  for (const vertex local : *of) {
    const double distance = s.found.distance[local];
    const vertex from = graph->share.global(local);
    for (std::uint64_t k = graph->start[local]; k < graph->start[local + 1]; ++k) {
      if ((graph->value[k] < s.delta) != (which == edges::light)) continue;
      const vertex to = graph->column[k];
      at(graph->share.owner(to)).past<relax>(graph->share.local(to), distance + graph->value[k], from);
      if (++*sent % burst == 0) co_await room_everywhere();
    }
  }
}

// The number of this PE's first bucket from `first` on that holds a vertex.
std::uint64_t next_bucket(std::uint64_t first) {
  for (std::uint64_t number = first; number < first + state->buckets.size(); ++number)
    if (!state->bucket(number).empty()) return number;
  return no_bucket;
}

}  // namespace

task<paths> find(const sparse_rows* graph, vertex source, double largest, double delta, program::progress* shown) {
  search& s = *state;
  const vertex mine = graph->local_rows();
  s.found = {};
  s.found.distance.assign(mine, unreached);
  s.found.parent.assign(mine, nobody);
  s.delta = delta;
  // An edge leads at most so far ahead; one more bucket for where it begins, two for rounding.
  s.buckets.assign(static_cast<std::size_t>(std::ceil(largest / delta)) + 3, {});
  if (graph->share.owner(source) == this_pe()) relax(graph->share.local(source), 0, source);
  co_await barrier();

  std::vector<double> relaxed_at(mine, unreached);  // the distance that a vertex's light edges were relaxed with
  std::vector<std::int64_t> settled_in(mine, 0);
  std::vector<vertex> settled;  // with this bucket
  std::int64_t settled_here = 0, sent = 0;
  std::uint64_t number = 0;
  while (true) {
    // From the same one on: rounding may lead a heavy edge back into it.
    number = co_await all_reduce(next_bucket(number), reduce::min);
    if (number == no_bucket) break;
    ++s.found.buckets;
    settled.clear();
    bool again = true;
    while (again) {
      std::vector<vertex> waiting = std::exchange(s.bucket(number), {});
      std::erase_if(waiting, [&](vertex v) {
        const bool stale = s.bucket_of(s.found.distance[v]) != number || relaxed_at[v] == s.found.distance[v];
        if (!stale) relaxed_at[v] = s.found.distance[v];
        return stale;
      });
      for (const vertex v : waiting)
        if (std::exchange(settled_in[v], s.found.buckets) != s.found.buckets) settled.push_back(v);
      co_await relax_edges(graph, &waiting, edges::light, &sent);
      co_await quiescence();
      again = co_await all_reduce(!s.bucket(number).empty(), reduce::any);
    }
    co_await relax_edges(graph, &settled, edges::heavy, &sent);
    co_await quiescence();
    settled_here += static_cast<std::int64_t>(settled.size());
    shown->at("vertex", settled_here, mine);
  }
  paths result = std::exchange(s.found, {});
  result.relaxations = co_await all_reduce(sent, reduce::plus);
  co_return result;
}

}  // namespace sssp
