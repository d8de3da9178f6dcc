// A random graph, edge by edge, and a check of its components by union and find.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

using vertex = std::uint32_t;

inline vertex random_vertex(std::uint64_t index, vertex vertices) {
  return static_cast<vertex>(splitmix64(index) % vertices);
}

inline bool is_right(vertex vertices, std::uint64_t edges, long components, long largest) {  // by union and find
  std::vector<vertex> parent(vertices);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](vertex v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (std::uint64_t e = 0; e < edges; ++e)
    parent[root(random_vertex(2 * e, vertices))] = root(random_vertex(2 * e + 1, vertices));
  std::vector<long> members(vertices);
  for (vertex v = 0; v < vertices; ++v) ++members[root(v)];
  return vertices - std::ranges::count(members, 0L) == components && std::ranges::max(members) == largest;
}
