// A graph of random edges in three containers, for docs/from_others.md: which vertices have most edges, how many
// components there are, and how many vertices the busiest one reaches by two edges.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

using namespace tsubu;

using vertex = std::uint32_t;
constexpr std::uint64_t vertices = 5000, edges = 6000;

std::pair<vertex, vertex> edge(std::uint64_t i) {
  return {static_cast<vertex>(splitmix64(2 * i) % vertices), static_cast<vertex>(splitmix64(2 * i + 1) % vertices)};
}

// The multimap calls this for each neighbour of `from`, where that is kept.
void reach(const vertex& /*from*/, vertex& neighbour, tsubu::set<vertex> reached) { reached.past().insert(neighbour); }

task<int> program(arguments) {
  auto degrees = co_await create_counting_set<vertex>();
  auto parts = co_await create_disjoint_sets<vertex>();
  auto neighbours = co_await create_multimap<vertex, vertex>();
  auto reached = co_await create_set<vertex>();
  for (auto i = static_cast<std::uint64_t>(this_pe()); i < edges; i += static_cast<std::uint64_t>(pe_count())) {
    const auto [u, v] = edge(i);
    co_await degrees.insert(u);
    co_await degrees.insert(v);
    co_await parts.unite(u, v);
    co_await neighbours.past().insert(u, v);
    co_await neighbours.past().insert(v, u);
  }
  co_await quiescence();

  const auto busiest = co_await degrees.top_k(3);
  const auto components = co_await parts.count_sets();
  if (this_pe() == 0) co_await neighbours.past().visit<reach>(busiest[0].first, reached);
  co_await quiescence();
  const std::vector<vertex> first(reached.here().begin(), reached.here().end());
  co_await barrier();  // nobody sends into the set before all have read it
  for (const vertex v : first) co_await neighbours.past().visit<reach>(v, reached);
  co_await quiescence();
  const auto within_two = co_await reached.size();

  if (this_pe() == 0) {
    for (const auto& [v, n] : busiest) std::printf("vertex %u has %d edges\n", v, static_cast<int>(n));
    std::printf("%zu components; two edges from vertex %u: %zu vertices\n", components, busiest[0].first, within_two);
  }
  co_return 0;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
