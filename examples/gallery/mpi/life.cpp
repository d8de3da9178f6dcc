// Conway's game of life on a torus: how many cells live after 100 generations. The argument is the side of the torus.
// Each rank has a block of the rows. In each generation it sends its first and its last row to the ranks whose rows lie
// next to them, and receives theirs.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "examples/gallery/problem/life.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const long side = argc > 1 ? std::stol(argv[1]) : 500;
  const long first = side * rank / ranks, last = side * (rank + 1) / ranks;
  const auto owner = [side, ranks](long i) { return static_cast<int>(((i + 1) * ranks - 1) / side); };
  const int up = owner((first + side - 1) % side), down = owner(last % side);

  rows board = begin_with(first, last, side);
  const int width = static_cast<int>(side);
  row above(board.empty() ? 0 : board[0].size()), below = above;
  for (int g = 0; g < generations && first < last; ++g) {
    MPI_Sendrecv(board.front().data(), width, MPI_CHAR, up, 0, below.data(), width, MPI_CHAR, down, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(board.back().data(), width, MPI_CHAR, down, 1, above.data(), width, MPI_CHAR, up, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    board = next(above, board, below);
  }

  const long here = count_living(board);
  long living = 0;
  MPI_Reduce(&here, &living, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);

  bool right = true;
  if (rank == 0) {
    std::printf("%ld of %ld cells live after %d generations\n", living, side * side, generations);

    // The same on one rank.
    rows alone = begin_with(0, side, side);
    for (int g = 0; g < generations; ++g) alone = next(alone.back(), alone, alone.front());
    right = living == count_living(alone);
    if (!right) std::printf("On one rank alone, %ld do.\n", count_living(alone));
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
