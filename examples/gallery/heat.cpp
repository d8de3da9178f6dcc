// The heat equation on a square plate with insulated edges, by explicit steps on a grid of n x n cells. Each PE owns a
// block of rows, and in each step sends its first and its last row to its neighbours. The plate begins as a wave of
// which the exact solution on the grid is known.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "examples/gallery/problem/heat.hpp"

using namespace tsubu;

pe_local<tsubu::sync<row>> rows_above, rows_below;  // what the neighbours have sent, in the order of the steps

void put_above(row r) { rows_above->write(std::move(r)); }
void put_below(row r) { rows_below->write(std::move(r)); }

task<int> program(arguments args) {
  const auto n = args.number<std::size_t>(1, 256);
  const auto mine = part_of(n);

  std::vector<row> plate(mine.size(), row(n)), next(mine.size());
  for (const std::size_t r : mine) {
    for (std::size_t c = 0; c < n; ++c) plate[r - mine.from()][c] = 20 + 10 * wave(r, n) * wave(c, n);
  }

  for (int step = 0; step < steps && !mine.empty(); ++step) {
    if (mine.from() > 0) at(owner_of(n, mine.from() - 1)).past<put_below>(plate.front());
    if (mine.to() < n) at(owner_of(n, mine.to())).past<put_above>(plate.back());
    row above = plate.front(), below = plate.back();  // an insulated edge has its own temperature beyond it
    if (mine.from() > 0) above = co_await rows_above->read();
    if (mine.to() < n) below = co_await rows_below->read();
    for (std::size_t r = 0; r < plate.size(); ++r)
      next[r] = next_row(r > 0 ? plate[r - 1] : above, plate[r], r + 1 < plate.size() ? plate[r + 1] : below);
    plate.swap(next);
  }

  const double left = left_of_wave(n), cells = std::pow(n, 2);
  double heat = 0, centre = 0, error = 0;
  for (const std::size_t r : mine) {
    for (std::size_t c = 0; c < n; ++c) {
      const double t = plate[r - mine.from()][c];
      heat += t;
      if (r == n / 2 && c == n / 2) centre = t;
      error = std::max(error, std::abs(t - 20 - 10 * left * wave(r, n) * wave(c, n)));
    }
  }
  heat = co_await all_reduce(heat, reduce::plus);
  centre = co_await all_reduce(centre, reduce::plus);
  error = co_await all_reduce(error, reduce::max);

  const bool right = error < 1e-9 && std::abs(heat - 20 * cells) < 1e-9 * heat;
  if (this_pe() == 0) {
    std::printf("after %d steps the centre has %.6f degrees, and the total heat is %.1f\n", steps, centre, heat);
    if (!right) std::printf("wrong: the largest error is %g\n", error);
  }
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
