// A board that is made cell by cell, and a generation of some of its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

inline constexpr int generations = 100;

using row = std::vector<char>;  // 1 for a living cell
using rows = std::vector<row>;

// A third of the cells live.
inline rows begin_with(long first, long last, long side) {
  rows board;
  for (long i = first; i < last; ++i) {
    row& r = board.emplace_back(side);
    for (long j = 0; j < side; ++j) r[j] = splitmix64(i * side + j) % 3 == 0;
  }
  return board;
}

inline rows next(const row& above, const rows& board, const row& below) {
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

inline long count_living(const rows& board) {
  long living = 0;
  for (const row& r : board) living += std::ranges::count(r, 1);
  return living;
}
