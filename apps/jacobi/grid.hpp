// A square grid of temperatures whose upper edge is hot and whose other edges are cold: a PE's block of its rows, and
// one step of Jacobi's method for the Laplace equation on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jacobi {

class grid_block {
 public:
  // Rows first, first + 1, .. below last of `size` rows of `size` values, which are 0.
  grid_block(std::size_t size, std::size_t first, std::size_t last);

  std::size_t size() const { return size_; }
  std::size_t rows() const { return last_ - first_; }
  // The first and the last row, for the neighbours.
  std::span<const double> upper_row() const { return row(now_, 1); }
  std::span<const double> lower_row() const { return row(now_, rows()); }
  // What the neighbours have: from the PE above, and from the one below.
  void set_above(std::span<const double> values);
  void set_below(std::span<const double> values);

  // Each value becomes the mean of its four neighbours.
  void step();

  // What a row holds, as one number: equal for equal bits. `r` is of the whole grid.
  std::uint64_t digest(std::size_t r) const;

 private:
  // Each row has a value more on either side, which stays 0; there is a row more above and below.
  std::size_t width() const { return size_ + 2; }
  std::span<const double> row(const std::vector<double>& values, std::size_t r) const {
    return std::span(values).subspan(r * width() + 1, size_);
  }

  const std::size_t size_, first_, last_;
  std::vector<double> now_, next_;
};

// The digest of each row after that many steps on one PE.
std::vector<std::uint64_t> reference_digests(std::size_t size, int steps);

}  // namespace jacobi
