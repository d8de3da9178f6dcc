// Promise: the matrices and the iteration are NPB's. Method: published counts, extremes and zeta of each class.
#include "apps/npb/cg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "apps/npb/blocks.hpp"

namespace {

std::pair<std::int64_t, std::int64_t> row_extremes(const npb::csr& a) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
  for (std::size_t i = 0; i + 1 < a.row_start.size(); ++i) {
    least = std::min(least, a.row_start[i + 1] - a.row_start[i]);
    most = std::max(most, a.row_start[i + 1] - a.row_start[i]);
  }
  return {least, most};
}

TEST(cg_matrix, has_the_nonzeros_of_its_class) {
  for (const char* name : {"S", "W", "A"}) {
    const npb::cg_class& problem = npb::cg_class_named(name);
    const npb::csr a = npb::make_matrix(problem);
    EXPECT_EQ(a.nonzeros(), problem.nonzeros) << name;
    EXPECT_EQ(a.rows(), problem.na);
    const std::pair<std::int64_t, std::int64_t> published{problem.name == 'S' ? 8 : 12,
                                                          problem.name == 'S' ? 127 : 294};
    if (problem.name != 'W') {
      EXPECT_EQ(row_extremes(a), published) << name;
    }
  }
}

TEST(cg_matrix, is_symmetric_with_ascending_columns) {
  const npb::csr a = npb::make_matrix(npb::cg_class_named("S"));
  const auto value_at = [&](std::int32_t row, std::int32_t column) {
    const auto begin = a.column.begin() + a.row_start[static_cast<std::size_t>(row)];
    const auto end = a.column.begin() + a.row_start[static_cast<std::size_t>(row) + 1];
    const auto found = std::lower_bound(begin, end, column);
    return found != end && *found == column ? a.value[static_cast<std::size_t>(found - a.column.begin())] : 0.0;
  };
  for (std::int32_t row = 0; row < 1400; ++row)
    for (auto k = a.row_start[static_cast<std::size_t>(row)]; k < a.row_start[static_cast<std::size_t>(row) + 1]; ++k) {
      const std::int32_t column = a.column[static_cast<std::size_t>(k)];
      if (k > a.row_start[static_cast<std::size_t>(row)]) {
        ASSERT_LT(a.column[static_cast<std::size_t>(k) - 1], column);
      }
      // The product of a vector's two values is weighted on one side, hence rounded differently in the mirror.
      const double value = a.value[static_cast<std::size_t>(k)];
      ASSERT_NEAR(value_at(column, row), value, 1e-14 * std::abs(value));
    }
}

TEST(cg_matrix, rows_do_not_depend_on_the_split) {
  const npb::cg_class& problem = npb::cg_class_named("S");
  const npb::csr whole = npb::make_matrix(problem);
  for (const std::int64_t p : {2, 3, 7, 64})
    for (std::int64_t i = 0; i < p; ++i) {
      const std::int64_t first = npb::block_first(problem.na, p, i), last = npb::block_first(problem.na, p, i + 1);
      ASSERT_EQ(npb::make_matrix(problem, first, last), npb::rows_of(whole, first, last)) << p << ' ' << i;
    }
  EXPECT_EQ(npb::make_matrix(problem, 700, 700).nonzeros(), 0);
}

TEST(cg_matrix, thinned_to_a_quarter_is_matrix_b_of_the_emx_paper) {
  EXPECT_EQ(npb::thin(npb::make_matrix(npb::cg_class_named("S")), 4).nonzeros(), 19537);
}

TEST(cg, class_s_takes_the_published_course) {
  const npb::cg_class& problem = npb::cg_class_named("S");
  const npb::cg_result result = npb::run_cg(problem, npb::make_matrix(problem));
  ASSERT_EQ(result.zeta.size(), 15u);
  EXPECT_NEAR(result.zeta[0], 9.9986441579140, 1e-12);
  EXPECT_NEAR(result.zeta[1], 8.5733279203222, 1e-12);
  EXPECT_NEAR(result.zeta[2], 8.5954510374058, 1e-12);
  EXPECT_NEAR(result.zeta[14], 8.5971775078648, 1e-12);
  EXPECT_LT(result.residual, 1e-13);
  EXPECT_TRUE(npb::cg_verified(problem, result.final_zeta()));
}

TEST(cg, class_s_verifies_with_the_ten_steps_of_the_emx_paper) {
  const npb::cg_class& problem = npb::cg_class_named("S");
  EXPECT_NEAR(npb::run_cg(problem, npb::make_matrix(problem), 10).final_zeta(), 8.5971775078648, 1e-12);
}

TEST(cg, classes_w_and_a_verify) {
  for (const char* name : {"W", "A"}) {
    const npb::cg_class& problem = npb::cg_class_named(name);
    const npb::cg_result result = npb::run_cg(problem, npb::make_matrix(problem));
    EXPECT_TRUE(npb::cg_verified(problem, result.final_zeta())) << name << ' ' << result.final_zeta();
    if (problem.name == 'A') {
      EXPECT_NEAR(result.zeta[1], 17.1140495745506, 1e-12);
    }
  }
}

TEST(cg, verification_rejects_what_is_wrong) {
  const npb::cg_class& problem = npb::cg_class_named("S");
  EXPECT_TRUE(npb::cg_verified(problem, problem.zeta * (1 + 0.9e-10)));
  EXPECT_FALSE(npb::cg_verified(problem, problem.zeta * (1 + 1.1e-10)));
  EXPECT_FALSE(npb::cg_verified(problem, problem.zeta * (1 - 1.1e-10)));
  EXPECT_FALSE(npb::cg_verified(problem, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(npb::cg_verified(problem, std::numeric_limits<double>::infinity()));
}

TEST(cg, rate_is_that_of_npb) {
  // 2 * 15 * 14000 * (3 + 132 + 25 * (5 + 132) + 3) operations; NPB 3.4 prints 2,409 for 0.62 s.
  EXPECT_NEAR(npb::cg_mops(npb::cg_class_named("A"), 1.0), 1496.46, 1e-9);
}

TEST(cg, class_is_found_by_either_letter_and_the_others_are_listed) {
  EXPECT_EQ(&npb::cg_class_named("c"), &npb::cg_class_named("C"));
  try {
    npb::cg_class_named("AB");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "unknown CG class 'AB': expected one of S, W, A, B, C, D");
  }
  EXPECT_THROW(npb::cg_class_named(""), std::invalid_argument);
}

}  // namespace
