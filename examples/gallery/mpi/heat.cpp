// The heat equation on a square plate with insulated edges, by explicit steps on a grid of n x n cells. Each rank owns
// a block of rows, with a row of its neighbours' above and below, which are exchanged in each step. The plate begins as
// a wave of which the exact solution on the grid is known.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/gallery/problem/heat.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = argc > 1 ? std::stoi(argv[1]) : 256;
  const int first = n * rank / ranks, last = n * (rank + 1) / ranks;
  const auto owner = [&](int r) { return ((r + 1) * ranks - 1) / n; };
  const auto size = static_cast<std::size_t>(last - first);
  const int rank_above = size > 0 && first > 0 ? owner(first - 1) : MPI_PROC_NULL;
  const int rank_below = size > 0 && last < n ? owner(last) : MPI_PROC_NULL;

  std::vector<row> plate(size, row(static_cast<std::size_t>(n))), next(size);
  for (int r = first; r < last; ++r) {
    for (int c = 0; c < n; ++c)
      plate[static_cast<std::size_t>(r - first)][static_cast<std::size_t>(c)] = 20 + 10 * wave(r, n) * wave(c, n);
  }

  for (int step = 0; step < steps && size > 0; ++step) {
    row above = plate.front(), below = plate.back();  // an insulated edge has its own temperature beyond it
    MPI_Sendrecv(plate.front().data(), n, MPI_DOUBLE, rank_above, 0, below.data(), n, MPI_DOUBLE, rank_below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(plate.back().data(), n, MPI_DOUBLE, rank_below, 0, above.data(), n, MPI_DOUBLE, rank_above, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t r = 0; r < size; ++r)
      next[r] = next_row(r > 0 ? plate[r - 1] : above, plate[r], r + 1 < size ? plate[r + 1] : below);
    plate.swap(next);
  }

  const double left = left_of_wave(n);
  double sums[2] = {0, 0}, error = 0;  // the heat, and the temperature at the centre
  for (int r = first; r < last; ++r) {
    for (int c = 0; c < n; ++c) {
      const double t = plate[static_cast<std::size_t>(r - first)][static_cast<std::size_t>(c)];
      sums[0] += t;
      if (r == n / 2 && c == n / 2) sums[1] = t;
      error = std::max(error, std::abs(t - 20 - 10 * left * wave(r, n) * wave(c, n)));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const auto [heat, centre] = sums;

  const bool right = error < 1e-9 && std::abs(heat - 20.0 * n * n) < 1e-9 * heat;
  if (rank == 0) {
    std::printf("after %d steps the centre has %.6f degrees, and the total heat is %.1f\n", steps, centre, heat);
    if (!right) std::printf("wrong: the largest error is %g\n", error);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
