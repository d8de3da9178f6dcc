// The shortest paths between all pairs of vertices of a dense random graph, by the method of Floyd and Warshall. The
// argument is the number of vertices. Each PE has a block of the rows of the matrix of distances. In step k the
// owner of row k sends it to all, and each PE sees which of its own distances are shorter by way of vertex k.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "examples/gallery/problem/shortest_paths.hpp"

using namespace tsubu;

task<int> program(arguments args) {
  const auto n = args.number<std::size_t>(1, 300);

  const auto mine = part_of(n);
  std::vector<distances> rows;
  for (const std::size_t i : mine) rows.push_back(edges_of(i, n));

  for (std::size_t k = 0; k < n; ++k) {
    distances from_k = mine.contains(k) ? rows[k - mine.from()] : distances();
    from_k = co_await broadcast(std::move(from_k), owner_of(n, k));
    for (distances& row : rows) {
      for (std::size_t j = 0; j < n; ++j) row[j] = std::min(row[j], row[k] + from_k[j]);
    }
  }

  long sum = 0;
  int longest = 0;
  for (const distances& row : rows) {
    for (const int d : row) sum += d, longest = std::max(longest, d);
  }
  sum = co_await all_reduce(sum, reduce::plus);
  longest = co_await all_reduce(longest, reduce::max);
  if (this_pe() == 0) std::printf("%zu vertices: sum of distances %ld, diameter %d\n", n, sum, longest);

  // Each PE looks at a few of its rows.
  bool right = true;
  for (std::size_t i = 0; i < rows.size(); i += 10) right = right && rows[i] == dijkstra(mine.from() + i, n);
  if (!right) std::printf("PE %d has distances that are not the shortest.\n", this_pe());
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
