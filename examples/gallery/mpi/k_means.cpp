// The k-means method: 20 rounds that move the centres of 8 clusters of points in the plane. The argument is the number
// of points. Each rank owns a block of them and adds up those next to each centre; MPI_Allreduce of the eight sums
// gives every rank the same new centres. Coordinates are integers, so the sums do not depend on the order of adding.
#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "examples/gallery/problem/k_means.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const long n = argc > 1 ? std::stol(argv[1]) : 300'000;
  const std::vector<point> points = make_points(n * rank / ranks, n * (rank + 1) / ranks);

  std::vector<point> centres = make_points(0, clusters);
  for (int round = 0; round < rounds; ++round) {
    std::vector<members> sums = assign(points, centres);
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3 * clusters, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    recentre(centres, sums);
  }

  bool right = true;
  if (rank == 0) {
    std::printf("%ld points, %d rounds, centres:", n, rounds);
    for (const point& c : centres) {
      std::printf(" (%.3f, %.3f)", 1e-6 * static_cast<double>(c.x), 1e-6 * static_cast<double>(c.y));
    }
    std::printf("\n");

    // The same on one PE.
    const std::vector<point> all = make_points(0, n);
    std::vector<point> alone = make_points(0, clusters);
    for (int round = 0; round < rounds; ++round) recentre(alone, assign(all, alone));
    right = centres == alone;
    if (!right) std::printf("One rank alone finds other centres.\n");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
