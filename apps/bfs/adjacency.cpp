#include "apps/bfs/adjacency.hpp"

#include <algorithm>

#include "apps/bfs/slices.hpp"
#include "tsubu/tsubu.hpp"

namespace bfs {

using namespace tsubu;

// Ends of edges as they arrive: the own vertex, by index, and its neighbour.
struct half_edge {
  vertex index;
  vertex neighbour;
};
static pe_local<std::vector<half_edge>> arrived;

void take_edge(vertex index, vertex neighbour) { arrived->push_back({index, neighbour}); }

namespace {

void send_edges(std::span<const edge> edges, const ownership where) {
  for (const auto [from, to] : edges) {
    if (from == to) continue;
    at(where.owner(from)).past<take_edge>(where.index(from), to);
    at(where.owner(to)).past<take_edge>(where.index(to), from);
  }
}

// By a counting sort, then each list on its own.
void fill(adjacency& g, std::size_t own, std::span<const half_edge> halves) {
  std::vector<std::uint64_t> end(own + 1);  // of each list, shifted by one while they grow
  for (const half_edge& h : halves) ++end[h.index + 1];
  for (std::size_t i = 0; i < own; ++i) end[i + 1] += end[i];
  std::vector<vertex> all(halves.size());
  for (const half_edge& h : halves) all[end[h.index]++] = h.neighbour;

  g.first.assign(1, 0);
  g.first.reserve(own + 1);
  auto kept = all.begin();
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < own; ++i) {
    const auto list = all.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto list_end = all.begin() + static_cast<std::ptrdiff_t>(end[i]);
    std::sort(list, list_end);
    kept = std::unique_copy(list, list_end, kept);
    begin = end[i];
    g.first.push_back(static_cast<std::uint64_t>(kept - all.begin()));
  }
  g.neighbours.assign(all.begin(), kept);
}

}  // namespace

task<adjacency> make_adjacency(std::uint64_t vertices, std::span<const edge> edges) {
  adjacency g{vertices, ownership(pe_count()), {}, {}};
  for (const auto some : slices(edges)) {
    send_edges(some, g.where);
    co_await room_everywhere();
  }
  co_await quiescence();
  fill(g, g.where.share(vertices, this_pe()), *arrived);
  std::vector<half_edge>().swap(*arrived);
  co_return g;
}

}  // namespace bfs
