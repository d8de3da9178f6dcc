// A dense graph, row by row, and Dijkstra's method to check with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

using distances = std::vector<int>;  // from one vertex to all

// Every vertex has an edge to every other one, of a random length.
inline distances edges_of(std::size_t from, std::size_t n) {
  distances edges(n);
  for (std::size_t to = 0; to < n; ++to)
    edges[to] = to == from ? 0 : 1 + static_cast<int>(splitmix64(from * n + to) % 10'000);
  return edges;
}

// From one vertex to all, by Dijkstra's method.
inline distances dijkstra(std::size_t from, std::size_t n) {
  distances best(n, std::numeric_limits<int>::max());
  std::vector<char> settled(n);
  best[from] = 0;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t nearest = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (!settled[v] && (nearest == n || best[v] < best[nearest])) nearest = v;
    }
    settled[nearest] = 1;
    const distances edges = edges_of(nearest, n);
    for (std::size_t v = 0; v < n; ++v) best[v] = std::min(best[v], best[nearest] + edges[v]);
  }
  return best;
}
