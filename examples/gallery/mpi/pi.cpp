// An estimate of pi: of random points in a square, how many lie in the quarter of a circle? The argument is the number
// of points. The coordinates of each are a hash of its index. Each rank looks at an equal part of the points.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "examples/gallery/problem/pi.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const long points = argc > 1 ? std::stol(argv[1]) : 10'000'000;
  long mine = 0, inside = 0;
  for (long i = points * rank / ranks; i < points * (rank + 1) / ranks; ++i) mine += is_inside(i) ? 1 : 0;
  MPI_Reduce(&mine, &inside, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);

  bool right = true;
  if (rank == 0) {
    const double estimate = 4 * static_cast<double>(inside) / static_cast<double>(points);
    std::printf("%ld of %ld points are inside: pi is about %.6f\n", inside, points, estimate);

    // Five standard deviations; and the known count, which a point that is lost or counted twice would change.
    const bool near = std::abs(estimate - std::numbers::pi) < 5 * 1.65 / std::sqrt(static_cast<double>(points));
    right = near && (points != 10'000'000 || inside == 7'852'392);
    if (!right) std::printf("That is not the count it should be.\n");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
