// Conway's game of life on a torus: how many cells live after 100 generations. The argument is the side of the torus.
// Each PE has a block of the rows. In each generation it sends its first and its last row to the PEs whose rows lie
// next to them. What comes is put into two queues, one for each side, so a neighbour may be a generation ahead, and
// nobody waits for others than its neighbours.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace tsubu;

constexpr int generations = 100;

using row = std::vector<char>;  // 1 for a living cell
using rows = std::vector<row>;

struct ghost_rows {
  tsubu::sync<row> above, below;
};
pe_local<ghost_rows> ghosts;

void put_above(row r) { ghosts->above.write(std::move(r)); }
void put_below(row r) { ghosts->below.write(std::move(r)); }

std::uint64_t splitmix64(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// A third of the cells live.
rows begin_with(long first, long last, long side) {
  rows board;
  for (long i = first; i < last; ++i) {
    row& r = board.emplace_back(side);
    for (long j = 0; j < side; ++j) r[j] = splitmix64(i * side + j) % 3 == 0;
  }
  return board;
}

rows next(const row& above, const rows& board, const row& below) {
  rows result = board;
  for (std::size_t i = 0; i < board.size(); ++i) {
    const row &up = i == 0 ? above : board[i - 1], &here = board[i],
              &down = i + 1 == board.size() ? below : board[i + 1];
    for (std::size_t j = 0, side = here.size(); j < side; ++j) {
      const std::size_t l = j == 0 ? side - 1 : j - 1, r = j + 1 == side ? 0 : j + 1;
      const int neighbours = up[l] + up[j] + up[r] + here[l] + here[r] + down[l] + down[j] + down[r];
      result[i][j] = neighbours == 3 || (neighbours == 2 && here[j]);
    }
  }
  return result;
}

long count_living(const rows& board) {
  long living = 0;
  for (const row& r : board) living += std::ranges::count(r, 1);
  return living;
}

task<int> program(arguments args) {
  const long side = args.size() > 1 ? std::stol(args[1]) : 500;
  const long first = side * this_pe() / pe_count(), last = side * (this_pe() + 1) / pe_count();
  const auto owner = [side](long i) { return static_cast<pe_id>(((i + 1) * pe_count() - 1) / side); };
  const pe_id up = owner((first + side - 1) % side), down = owner(last % side);

  rows board = begin_with(first, last, side);
  for (int g = 0; g < generations && first < last; ++g) {
    co_await at(up).past<put_below>(board.front());
    co_await at(down).past<put_above>(board.back());
    const row above = co_await ghosts->above.read(), below = co_await ghosts->below.read();
    board = next(above, board, below);
  }

  const long living = co_await all_reduce(count_living(board), reduce::plus);
  if (this_pe() != 0) co_return 0;
  std::printf("%ld of %ld cells live after %d generations\n", living, side * side, generations);

  // The same on one PE.
  rows alone = begin_with(0, side, side);
  for (int g = 0; g < generations; ++g) alone = next(alone.back(), alone, alone.front());
  if (living == count_living(alone)) co_return 0;
  std::printf("On one PE alone, %ld do.\n", count_living(alone));
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
