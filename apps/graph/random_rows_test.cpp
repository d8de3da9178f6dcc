// Promise: the same matrix for every number of PEs, entries only where they may be, as many as asked for. Method: the
// rows of 1 PE beside those of 2, 3 and 8; the mean degree within five standard deviations.
#include "apps/graph/random_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace graph;

TEST(random_rows, do_not_depend_on_the_number_of_pes) {
  for (const part within : {part::whole, part::no_diagonal, part::strictly_lower, part::upper_with_diagonal}) {
    const sparse_rows whole = random_rows({0, 1}, 301, 301, 6, 5, within);
    for (const vertex pes : {2U, 3U, 8U}) {
      std::uint64_t sum = 0;
      for (vertex pe = 0; pe < pes; ++pe) sum += digest(random_rows({pe, pes}, 301, 301, 6, 5, within));
      EXPECT_EQ(sum, digest(whole));
    }
    EXPECT_NE(digest(random_rows({0, 1}, 301, 301, 6, 6, within)), digest(whole));
  }
}

TEST(random_rows, stay_within_their_part) {
  const vertex n = 100;
  for (const part within : {part::whole, part::no_diagonal, part::strictly_lower, part::upper_with_diagonal}) {
    const sparse_rows made = random_rows({0, 1}, n, n, n, 1, within);  // every place that may be filled
    for (vertex row = 0; row < n; ++row) {
      const auto columns = made.columns_of(row);
      EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end()));
      std::vector<vertex> expected;
      for (vertex column = 0; column < n; ++column) {
        if (within == part::whole || (within == part::no_diagonal && column != row) ||
            (within == part::strictly_lower && column < row) || (within == part::upper_with_diagonal && column >= row))
          expected.push_back(column);
      }
      EXPECT_EQ(std::vector<vertex>(columns.begin(), columns.end()), expected);
    }
  }
}

TEST(random_rows, have_the_degree_asked_for) {
  const vertex n = 10000;
  for (const double degree : {0.0, 0.5, 10.0}) {
    const auto made = static_cast<double>(random_rows({0, 1}, n, n, degree, 7, part::whole).nonzeros());
    EXPECT_LE(std::abs(made - degree * n), 5 * std::sqrt(degree * n)) << degree;
  }
  const sparse_rows made = random_rows({0, 1}, n, n, 10, 7, part::whole);
  EXPECT_TRUE(std::all_of(made.value.begin(), made.value.end(), [](double v) { return v > 0 && v <= 1; }));
  // The columns are spread evenly: their mean is that of 0 .. n - 1.
  double sum = 0;
  for (const vertex column : made.column) sum += column;
  const auto count = static_cast<double>(made.nonzeros());
  EXPECT_LE(std::abs(sum / count - (n - 1) / 2.0), 5 * n / std::sqrt(12 * count));
}

TEST(random_rows, of_matrices_that_are_not_square) {
  EXPECT_EQ(random_rows({0, 1}, 5, 3, 3, 1, part::upper_with_diagonal).nonzeros(), 3U + 2 + 1);
  EXPECT_EQ(random_rows({0, 1}, 5, 3, 3, 1, part::strictly_lower).nonzeros(), 0U + 1 + 2 + 3 + 3);
  EXPECT_EQ(random_rows({0, 1}, 3, 5, 5, 1, part::no_diagonal).nonzeros(), 12U);
}

}  // namespace
