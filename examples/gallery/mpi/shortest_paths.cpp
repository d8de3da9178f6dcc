// The shortest paths between all pairs of vertices of a dense random graph, by the method of Floyd and Warshall. The
// argument is the number of vertices. The rows of the matrix of distances are dealt to the ranks in turn. In step k the
// owner of row k broadcasts it, and each rank sees which of its own distances are shorter by way of vertex k.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/gallery/problem/shortest_paths.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 300;
  const auto me = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);

  std::vector<distances> rows;  // me, me + all, me + 2 * all, ...
  for (std::size_t i = me; i < n; i += all) rows.push_back(edges_of(i, n));

  distances from_k(n);
  for (std::size_t k = 0; k < n; ++k) {
    if (k % all == me) from_k = rows[k / all];
    MPI_Bcast(from_k.data(), static_cast<int>(n), MPI_INT, static_cast<int>(k % all), MPI_COMM_WORLD);
    for (distances& row : rows) {
      for (std::size_t j = 0; j < n; ++j) row[j] = std::min(row[j], row[k] + from_k[j]);
    }
  }

  long my_sum = 0, sum = 0;
  int my_longest = 0, longest = 0;
  for (const distances& row : rows) {
    for (const int d : row) my_sum += d, my_longest = std::max(my_longest, d);
  }
  MPI_Reduce(&my_sum, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&my_longest, &longest, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%zu vertices: sum of distances %ld, diameter %d\n", n, sum, longest);

  // Each rank looks at a few of its rows.
  bool right = true;
  for (std::size_t i = 0; i < rows.size(); i += 10) right = right && rows[i] == dijkstra(me + i * all, n);
  if (!right) std::printf("Rank %zu has distances that are not the shortest.\n", me);
  MPI_Finalize();
  return right ? 0 : 1;
}
