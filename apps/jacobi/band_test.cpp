// Promise: the equations have the solution that is known, and plain Jacobi comes to it. Method: it is put into them,
// and elements outside the matrix and beside the band are looked at.
#include "apps/jacobi/band.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace jacobi {
namespace {

TEST(Band, IsSolvedByTheKnownSolution) {
  for (const std::size_t half : {1U, 4U, 30U}) {
    const band_problem of{.unknowns = 20, .half = half};
    for (std::size_t i = 0; i < of.unknowns; ++i) {
      double rest = of.right_side(i);
      for (std::size_t j = 0; j < of.unknowns; ++j) {
        if (j + half < i || j > i + half) continue;
        rest -= of.element(i, j + half - i) * band_problem::solution(j);
      }
      EXPECT_NEAR(rest, 0, 1e-12) << half << " " << i;
    }
  }
}

TEST(Band, DiagonalsDominate) {
  const band_problem of{.unknowns = 60, .half = 5};
  for (std::size_t i = 0; i < of.unknowns; ++i) {
    double others = 0;
    for (std::size_t d = 0; d < of.width(); ++d) others += d == of.half ? 0 : std::abs(of.element(i, d));
    EXPECT_LT(others, of.element(i, of.half)) << i;
  }
}

TEST(Band, HasNothingOutsideTheMatrix) {
  const band_problem of{.unknowns = 6, .half = 2};
  EXPECT_EQ(of.element(0, 0), 0);
  EXPECT_EQ(of.element(1, 0), 0);
  EXPECT_NE(of.element(2, 0), 0);
  EXPECT_NE(of.element(3, 4), 0);
  EXPECT_EQ(of.element(4, 4), 0);
}

TEST(Band, IsSolvedHere) {
  for (const std::size_t unknowns : {1U, 3U, 250U}) {
    const band_problem of{.unknowns = unknowns};
    const band_result found = solve_band_here(of);
    EXPECT_LT(found.error, 1e-10) << unknowns;
    EXPECT_GT(found.iterations, unknowns == 1 ? 1 : 10);
  }
}

}  // namespace
}  // namespace jacobi
