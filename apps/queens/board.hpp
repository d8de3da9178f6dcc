// The first rows of a board with a queen each, and what they leave of the next one.
#pragma once

#include <cstdint>

namespace queens {

struct board {
  std::int32_t size = 0;
  std::int32_t rows = 0;  // that have a queen
  // The columns of the next row that they attack: straight down, and along both diagonals.
  std::uint32_t straight = 0;
  std::uint32_t rightward = 0;
  std::uint32_t leftward = 0;

  template <class Archive>
  void serialize(Archive& a) {
    a(size, rows, straight, rightward, leftward);
  }
  // Each a bit.
  std::uint32_t free_columns() const { return ~(straight | rightward | leftward) & ((std::uint32_t{1} << size) - 1); }
  // With a queen in the next row: `column` is one bit.
  board with(std::uint32_t column) const {
    return {size, rows + 1, straight | column, (rightward | column) >> 1, (leftward | column) << 1};
  }
};

// Calls f(next board) for each place of the next queen.
template <class F>
void for_each_place(const board& b, F f) {
  for (std::uint32_t left = b.free_columns(); left != 0; left &= left - 1) f(b.with(left & (~left + 1)));
}

// How many ways there are to fill the rows that are left, counted here.
inline std::int64_t solutions(const board& b) {
  if (b.rows == b.size) return 1;
  std::int64_t sum = 0;
  for_each_place(b, [&](const board& next) { sum += solutions(next); });
  return sum;
}

}  // namespace queens
