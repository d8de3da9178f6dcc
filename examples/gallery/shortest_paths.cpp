// The shortest paths between all pairs of vertices of a dense random graph, by the method of Floyd and Warshall. The
// argument is the number of vertices. The rows of the matrix of distances are dealt to the PEs in turn. In step k the
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
  const std::size_t n = args.size() > 1 ? std::stoul(args[1]) : 300;
  const auto me = static_cast<std::size_t>(this_pe()), pes = static_cast<std::size_t>(pe_count());

  std::vector<distances> rows;  // me, me + pes, me + 2 * pes, ...
  for (std::size_t i = me; i < n; i += pes) rows.push_back(edges_of(i, n));

  for (std::size_t k = 0; k < n; ++k) {
    distances from_k = k % pes == me ? rows[k / pes] : distances();
    from_k = co_await broadcast(std::move(from_k), static_cast<pe_id>(k % pes));
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
  for (std::size_t i = 0; i < rows.size(); i += 10) right = right && rows[i] == dijkstra(me + i * pes, n);
  if (!right) std::printf("PE %zu has distances that are not the shortest.\n", me);
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
