// The problem of the EULASH paper: simultaneous linear equations with a band matrix, by Jacobi's method,
//
//   x' = (b - (A - D) x) / D,
//
// until the norm of the change is small. Matrix and vector are shared data, element by element.
#pragma once

#include <cstddef>
#include <vector>

#include "tsubu/tsubu.hpp"

namespace jacobi {

// A has `half` diagonals on each side of the main one. Its rows are dominated by their diagonals, so the method
// converges.
struct band_problem {
  std::size_t unknowns = 250;
  std::size_t half = 4;
  double tolerance = 1e-12;

  std::size_t width() const { return 2 * half + 1; }
  // Row i, diagonal d of `width()`, of which `half` is the main one. 0 outside the matrix.
  double element(std::size_t i, std::size_t d) const;
  // So that x_i = 1 + i mod 7 solves it.
  double right_side(std::size_t i) const;
  static double solution(std::size_t i) { return 1.0 + static_cast<double>(i % 7); }
};

struct band_result {
  int iterations = 0;
  double error = 0;  // the largest deviation from the solution
  double seconds = 0;
};

// Collective. `cyclic`: the rows' elements are dealt to the PEs in turn, as memory that all share would be; else by
// blocks of rows, each on the PE that works on it.
tsubu::task<band_result> solve_band(band_problem problem, tsubu::protocol matrix, tsubu::protocol vector, bool cyclic);

// On one PE, in plain arrays.
band_result solve_band_here(const band_problem& problem);

}  // namespace jacobi
