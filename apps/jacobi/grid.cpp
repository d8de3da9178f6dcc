#include "apps/jacobi/grid.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace jacobi {

grid_block::grid_block(std::size_t size, std::size_t first, std::size_t last)
    : size_(size), first_(first), last_(last), now_((rows() + 2) * width()), next_(now_) {
  if (first != 0 || rows() == 0) return;
  std::fill_n(now_.begin() + 1, size, 1.0);
  std::fill_n(next_.begin() + 1, size, 1.0);
}

void grid_block::set_above(std::span<const double> values) { std::ranges::copy(values, now_.begin() + 1); }

void grid_block::set_below(std::span<const double> values) {
  std::ranges::copy(values, now_.begin() + static_cast<std::ptrdiff_t>((rows() + 1) * width() + 1));
}

void grid_block::step() {
  for (std::size_t r = 1; r <= rows(); ++r) {
    const double* __restrict left = &now_[r * width()];
    const double* __restrict right = left + 2;
    const double* __restrict above = left - width() + 1;
    const double* __restrict below = left + width() + 1;
    double* __restrict to = &next_[r * width() + 1];
    for (std::size_t c = 0; c < size_; ++c) to[c] = 0.25 * ((left[c] + right[c]) + (above[c] + below[c]));
  }
  std::swap(now_, next_);
}

std::uint64_t grid_block::digest(std::size_t r) const {
  std::uint64_t sum = r;
  for (const double v : row(now_, r - first_ + 1)) {
    sum = (sum ^ std::bit_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> 29;
  }
  return sum;
}

std::vector<std::uint64_t> reference_digests(std::size_t size, int steps) {
  grid_block whole(size, 0, size);
  for (int i = 0; i < steps; ++i) whole.step();
  std::vector<std::uint64_t> digests;
  for (std::size_t r = 0; r < size; ++r) digests.push_back(whole.digest(r));
  return digests;
}

}  // namespace jacobi
