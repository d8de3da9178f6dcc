// Matrix Market files of linear systems, as `cg --matrix` reads them. A matrix that is read is whole, ordered and
// symmetric.
#include <cmath>
#include <sstream>
#include <string>

#include "apps/npb/matrix_market.hpp"
#include "tests/fuzz/input.hpp"

namespace tsubu::fuzz {

static void check(const npb::csr& a) {
  expect(a.rows() >= 1 && a.rows() == a.columns, "a matrix that is not square");
  expect(a.nonzeros() == static_cast<std::int64_t>(a.column.size()) && a.column.size() == a.value.size(),
         "entries that are not counted");
  for (std::int64_t row = 0; row < a.rows(); ++row) {
    const auto begin = a.row_start[static_cast<std::size_t>(row)], end = a.row_start[static_cast<std::size_t>(row) + 1];
    expect(begin < end, "a row without a diagonal");
    for (std::int64_t k = begin; k < end; ++k) {
      const auto column = a.column[static_cast<std::size_t>(k)];
      expect(column >= 0 && column < a.columns, "a column that there is not");
      expect(k == begin || a.column[static_cast<std::size_t>(k - 1)] < column, "columns that do not ascend");
      expect(std::isfinite(a.value[static_cast<std::size_t>(k)]), "a value that is not finite");
    }
  }
}

void read_input(bytes input) {
  std::istringstream in{std::string(text_of(input))};
  try {
    check(npb::read_matrix_market(in, "a.mtx"));
  } catch (const text::file_error& error) {
    check_refusal(error.what(), "a.mtx:");
  }
}

}  // namespace tsubu::fuzz
