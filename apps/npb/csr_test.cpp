// Promise: the product is that of a dense matrix; thinning keeps every k-th entry; rows can be taken out.
// Method: rows of every length from 0 to 20 against a plain loop.
#include "apps/npb/csr.hpp"

#include <gtest/gtest.h>

#include "apps/npb/blocks.hpp"
#include "apps/npb/random.hpp"

namespace {

// Row i has i entries, in columns 0, 2, 4, ...
npb::csr staircase(int rows) {
  npb::csr a;
  a.columns = 2 * rows;
  npb::random_stream random;
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < i; ++k) {
      a.column.push_back(2 * k);
      a.value.push_back(random.next());
    }
    a.row_start.push_back(static_cast<std::int64_t>(a.column.size()));
  }
  return a;
}

TEST(csr, product_is_that_of_the_dense_matrix) {
  const npb::csr a = staircase(21);
  std::vector<double> x(42), y(21, -1);
  npb::random_stream random;
  for (double& e : x) e = random.next() - 0.5;
  npb::spmv(a, x, y);
  for (std::size_t i = 0; i < 21; ++i) {
    double expected = 0;
    for (auto k = a.row_start[i]; k < a.row_start[i + 1]; ++k)
      expected +=
          a.value[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(a.column[static_cast<std::size_t>(k)])];
    EXPECT_NEAR(y[i], expected, 1e-14) << "row " << i;
  }
}

TEST(csr, product_of_some_rows_leaves_the_others) {
  const npb::csr a = staircase(21);
  std::vector<double> x(42, 1.0), whole(21), some(21, -1);
  npb::spmv(a, x, whole);
  npb::spmv_rows(a, a.column, 5, 9, x, some);
  for (std::size_t i = 0; i < 21; ++i) EXPECT_EQ(some[i], i >= 5 && i < 9 ? whole[i] : -1);
}

TEST(csr, thinning_keeps_every_kth_entry) {
  const npb::csr a = staircase(21);
  const npb::csr b = npb::thin(a, 4);
  ASSERT_EQ(b.rows(), a.rows());
  ASSERT_EQ(b.nonzeros(), (a.nonzeros() + 3) / 4);
  for (std::size_t k = 0; k < b.value.size(); ++k) {
    EXPECT_EQ(b.value[k], a.value[4 * k]);
    EXPECT_EQ(b.column[k], a.column[4 * k]);
  }
  EXPECT_EQ(npb::thin(a, 1), a);
}

TEST(csr, rows_can_be_taken_out) {
  const npb::csr a = staircase(21);
  const npb::csr part = npb::rows_of(a, 3, 11);
  EXPECT_EQ(part.first_row, 3);
  EXPECT_EQ(part.rows(), 8);
  EXPECT_EQ(npb::rows_of(part, 5, 11), npb::rows_of(a, 5, 11));
  EXPECT_EQ(npb::rows_of(a, 0, 21), a);
  EXPECT_EQ(npb::rows_of(a, 7, 7).rows(), 0);
}

TEST(csr, columns_can_be_taken_out) {
  const npb::csr a = staircase(21);
  const npb::csr left = npb::columns_of(a, 0, 17), right = npb::columns_of(a, 17, a.columns);
  EXPECT_EQ(left.rows(), a.rows());
  EXPECT_EQ(left.nonzeros() + right.nonzeros(), a.nonzeros());
  EXPECT_GT(left.nonzeros(), 0);
  EXPECT_GT(right.nonzeros(), 0);
  std::vector<double> x(42), whole(21), of_left(21), of_right(21);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<double>(k % 5);
  npb::spmv(a, x, whole);
  npb::spmv(left, x, of_left);
  npb::spmv(right, x, of_right);
  for (std::size_t i = 0; i < 21; ++i) EXPECT_NEAR(of_left[i] + of_right[i], whole[i], 1e-12) << "row " << i;
  EXPECT_EQ(npb::columns_of(npb::columns_of(a, 3, 30), 5, 17), npb::columns_of(a, 5, 17));
  EXPECT_EQ(npb::columns_of(a, 0, a.columns), a);
}

TEST(csr, empty_rows_can_be_left_out) {
  npb::csr a;
  a.columns = 9;
  a.column = {4, 7, 1};
  a.value = {1, 2, 3};
  a.row_start = {0, 0, 2, 2, 2, 3, 3};
  EXPECT_EQ(npb::drop_empty_rows(a), (std::vector<std::int32_t>{1, 4}));
  EXPECT_EQ(a.row_start, (std::vector<std::int64_t>{0, 2, 3}));
}

TEST(blocks, owner_is_the_one_whose_block_holds_it) {
  for (const std::int64_t n : {1, 7, 64, 1400})
    for (const std::int64_t p : {1, 2, 3, 7, 64, 100}) {
      EXPECT_EQ(npb::block_first(n, p, p), n);
      for (std::int64_t i = 0; i < p; ++i)
        for (std::int64_t k = npb::block_first(n, p, i); k < npb::block_first(n, p, i + 1); ++k)
          ASSERT_EQ(npb::block_owner(n, p, k), i) << n << ' ' << p << ' ' << k;
    }
}

}  // namespace
