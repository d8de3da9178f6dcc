// Promise: good files give the full matrix; each kind of bad file is refused with one line that names file and line,
// what was expected and what came. Method: one small file of each kind, and the exact message.
#include "apps/npb/matrix_market.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace {

npb::csr read(const std::string& text) {
  std::istringstream in(text);
  return npb::read_matrix_market(in, "m.mtx");
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const npb::matrix_market_error& error) {
    return error.what();
  }
  return "no error";
}

const std::string header = "%%MatrixMarket matrix coordinate real general\n";

TEST(matrix_market, symmetric_file_gives_both_triangles) {
  const npb::csr a = read(
      "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n3 3 5\n"
      "1 1 4\n3 3 6.5e0\n2 2 +5\n3 1 -1\n3 2 0.5\n");
  EXPECT_EQ(a.rows(), 3);
  EXPECT_EQ(a.columns, 3);
  EXPECT_EQ(a.row_start, (std::vector<std::int64_t>{0, 2, 4, 7}));
  EXPECT_EQ(a.column, (std::vector<std::int32_t>{0, 2, 1, 2, 0, 1, 2}));
  EXPECT_EQ(a.value, (std::vector<double>{4, -1, 5, 0.5, -1, 0.5, 6.5}));
}

TEST(matrix_market, general_integer_file_in_any_order_and_case_and_with_repeats) {
  const npb::csr a = read(
      "%%matrixmarket MATRIX Coordinate Integer General\r\n3 3 6\r\n2 1 3\r\n1 2 1\r\n2 2 7\r\n"
      "3 3 8\r\n1 2 2\r\n1 1 9\r\n\r\n");
  EXPECT_EQ(a.column, (std::vector<std::int32_t>{0, 1, 0, 1, 2}));
  EXPECT_EQ(a.value, (std::vector<double>{9, 3, 3, 7, 8}));
}

// More of them than places; and in another order below the diagonal than above, where left to right another sum comes.
TEST(matrix_market, repeats_are_added_in_a_fixed_order) {
  ASSERT_NE(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1);
  const npb::csr a = read(header + "2 2 8\n1 1 4\n2 2 4\n1 2 0.1\n1 2 0.2\n1 2 0.3\n2 1 0.3\n2 1 0.2\n2 1 0.1\n");
  EXPECT_EQ(a.value, (std::vector<double>{4, 0.1 + 0.2 + 0.3, 0.1 + 0.2 + 0.3, 4}));
}

TEST(matrix_market, repeats_that_add_up_to_no_number_are_refused) {
  EXPECT_EQ(error_of(header + "1 1 3\n1 1 1\n1 1 1e308\n1 1 1e308\n"),
            "m.mtx:3: expected a finite sum of the entries at (1, 1), got inf");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n1 1 1\n2 2 1\n2 1 -1e308\n2 1 -1e308\n"),
            "m.mtx:5: expected a finite sum of the entries at (1, 2), got -inf");
}

TEST(matrix_market, comments_may_be_indented) {
  EXPECT_EQ(read(header + "  % c\n1 1 1\n\t% d\n1 1 2\n % e\n").value, std::vector<double>{2});
}

TEST(matrix_market, values_are_the_nearest_doubles) {
  EXPECT_EQ(read(header + "2 2 4\n1 1 1\n2 2 1\n1 2 1e-400\n2 1 1e-500\n").value, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(error_of(header + "1 1 1\n1 1 1e400\n"), "m.mtx:3: expected a finite value, got 1e400");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n"),
            "m.mtx:3: expected an integer, as the header says, got '1.5'");
}

TEST(matrix_market, file_on_disk) {
  const std::string name = testing::TempDir() + "npb_matrix_market_test.mtx";
  std::ofstream(name) << header << "1 1 1\n1 1 2\n";
  EXPECT_EQ(npb::read_matrix_market(std::filesystem::path(name)).value, std::vector<double>{2});
  std::remove(name.c_str());
  try {
    npb::read_matrix_market(std::filesystem::path("no/such.mtx"));
    FAIL();
  } catch (const npb::matrix_market_error& error) {
    EXPECT_EQ(std::string(error.what()), "no/such.mtx:0: expected a readable file, got none");
  }
  EXPECT_THROW(npb::read_matrix_market(std::filesystem::path("/")), npb::matrix_market_error);
}

TEST(matrix_market, wrong_headers_are_refused) {
  const std::string form = "expected '%%MatrixMarket matrix coordinate real|integer general|symmetric', got ";
  EXPECT_EQ(error_of(""), "m.mtx:1: " + form + "an empty file");
  EXPECT_EQ(error_of("3 3 1\n"), "m.mtx:1: " + form + "'3'");
  EXPECT_EQ(error_of("%%MatrixMarket vector\n"), "m.mtx:1: expected the object 'matrix', got 'vector'");
  EXPECT_EQ(error_of("%%MatrixMarket matrix array real general\n"),
            "m.mtx:1: expected the format 'coordinate', got 'array'");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate complex general\n"),
            "m.mtx:1: expected values 'real' or 'integer', got 'complex'");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate pattern symmetric\n"),
            "m.mtx:1: expected values 'real' or 'integer', got 'pattern'");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real hermitian\n"),
            "m.mtx:1: expected the symmetry 'general' or 'symmetric', got 'hermitian'");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real\n"),
            "m.mtx:1: expected the symmetry 'general' or 'symmetric', got the end of the line");
}

TEST(matrix_market, wrong_sizes_are_refused) {
  const std::string form = "expected a size line 'rows columns entries', got ";
  EXPECT_EQ(error_of(header), "m.mtx:2: " + form + "the end of the file");
  EXPECT_EQ(error_of(header + "% only\n% comments"), "m.mtx:4: " + form + "the end of the file");
  EXPECT_EQ(error_of(header + "3 3\n"), "m.mtx:2: " + form + "the end of the line");
  EXPECT_EQ(error_of(header + "3 x 1\n"), "m.mtx:2: " + form + "'x'");
  EXPECT_EQ(error_of(header + "3 3 1 1\n"), "m.mtx:2: " + form + "'1' after it");
  EXPECT_EQ(error_of(header + "2 3 1\n"), "m.mtx:2: expected a square matrix, got 2 rows and 3 columns");
  EXPECT_EQ(error_of(header + "0 0 0\n"), "m.mtx:2: expected 1 to 2147483647 rows, got 0");
  EXPECT_EQ(error_of(header + "9000000000 9000000000 1\n"), "m.mtx:2: expected 1 to 2147483647 rows, got 9000000000");
  EXPECT_EQ(error_of(header + "2 2 1\n"), "m.mtx:2: expected 2 entries at least, got 1");
  EXPECT_EQ(error_of(header + "2 2 -1\n"), "m.mtx:2: expected 2 entries at least, got -1");
}

TEST(matrix_market, wrong_entries_are_refused) {
  EXPECT_EQ(error_of(header + "2 2 2\n1 1 1\n"), "m.mtx:4: expected entry 2 of 2, got the end of the file");
  EXPECT_EQ(error_of(header + "2 2 2\n1 1 1\n2 3 1\n"), "m.mtx:4: expected a column from 1 to 2, got 3");
  EXPECT_EQ(error_of(header + "2 2 2\n0 1 1\n"), "m.mtx:3: expected a row from 1 to 2, got 0");
  EXPECT_EQ(error_of(header + "2 2 2\n1 1\n"), "m.mtx:3: expected a value, got the end of the line");
  EXPECT_EQ(error_of(header + "2 2 2\n1 1 1.5x\n"), "m.mtx:3: expected a value, got '1.5x'");
  EXPECT_EQ(error_of(header + "2 2 2\n1 1 nan\n"), "m.mtx:3: expected a finite value, got nan");
  EXPECT_EQ(error_of(header + "2 2 2\n1 1 1 0\n"), "m.mtx:3: expected 'row column value', got '0' after it");
  EXPECT_EQ(error_of(header + "1 1 1\n1 1 1\n1 1 1\n"), "m.mtx:4: expected no more than 1 entries, got '1 1 1'");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 1\n"),
            "m.mtx:3: expected the lower triangle only (symmetric), got (1, 2) above the diagonal");
}

TEST(matrix_market, what_is_not_symmetric_positive_is_refused_at_its_line) {
  EXPECT_EQ(error_of(header + "2 2 4\n1 1 1\n2 2 1\n2 1 3\n1 2 4\n"),
            "m.mtx:6: expected a symmetric matrix, got 4 at (1, 2) and 3 at (2, 1)");
  EXPECT_EQ(error_of(header + "2 2 3\n1 1 1\n2 2 1\n2 1 3\n"),
            "m.mtx:5: expected a symmetric matrix, got 3 at (2, 1) and 0 at (1, 2)");
  EXPECT_EQ(error_of(header + "2 2 2\n1 1 1\n2 2 -3\n"), "m.mtx:4: expected a positive diagonal, got -3 at (2, 2)");
  EXPECT_EQ(error_of(header + "2 2 3\n1 1 1\n2 1 3\n1 2 3\n"),
            "m.mtx:2: expected a positive diagonal, got 0 at (2, 2)");
  EXPECT_EQ(error_of(header + "2000000000 2000000000 1\n1 1 1\n"),
            "m.mtx:2: expected 2000000000 entries at least, got 1");
}

}  // namespace
