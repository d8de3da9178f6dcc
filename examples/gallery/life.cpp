// Conway's game of life on a torus: how many cells live after 100 generations. The argument is the side of the torus.
// Each PE has a block of the rows. In each generation it sends its first and its last row to the PEs whose rows lie
// next to them. What comes is put into two queues, one for each side, so a neighbour may be a generation ahead, and
// nobody waits for others than its neighbours.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <string>
#include <utility>

#include "examples/gallery/problem/life.hpp"

using namespace tsubu;

struct ghost_rows {
  tsubu::sync<row> above, below;
};
pe_local<ghost_rows> ghosts;

void put_above(row r) { ghosts->above.write(std::move(r)); }
void put_below(row r) { ghosts->below.write(std::move(r)); }

task<int> program(arguments args) {
  const auto side = args.number<std::size_t>(1, 500);
  const auto mine = part_of(side);
  const pe_id up = owner_of(side, (mine.from() + side - 1) % side), down = owner_of(side, mine.to() % side);

  rows board = begin_with(mine.from(), mine.to(), side);
  for (int g = 0; g < generations && !mine.empty(); ++g) {
    co_await at(up).past<put_below>(board.front());
    co_await at(down).past<put_above>(board.back());
    const row above = co_await ghosts->above.read(), below = co_await ghosts->below.read();
    board = next(above, board, below);
  }

  const long living = co_await all_reduce(count_living(board), reduce::plus);
  if (this_pe() != 0) co_return 0;
  std::printf("%ld of %zu cells live after %d generations\n", living, side * side, generations);

  // The same on one PE.
  rows alone = begin_with(0, side, side);
  for (int g = 0; g < generations; ++g) alone = next(alone.back(), alone, alone.front());
  if (living == count_living(alone)) co_return 0;
  std::printf("On one PE alone, %ld do.\n", count_living(alone));
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
