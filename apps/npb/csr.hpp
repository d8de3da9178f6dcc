// Sparse matrices by rows (compressed sparse row) and their product with a dense vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace npb {

// Rows [first_row, first_row + rows()) of a matrix with `columns` columns. Column indices are global and ascend in each
// row. Row i (local) has the entries [row_start[i], row_start[i + 1]) of `column` and `value`.
struct csr {
  std::int64_t first_row = 0;
  std::int64_t columns = 0;
  std::vector<std::int64_t> row_start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::int64_t rows() const { return static_cast<std::int64_t>(row_start.size()) - 1; }
  std::int64_t nonzeros() const { return row_start.back(); }

  friend bool operator==(const csr&, const csr&) = default;
};

// y = A x. x: indexed by the column indices of A; y: A.rows() elements, y[i] for local row i; they must not overlap.
// The sums of a row are formed in several partial sums: results differ from a left-to-right sum in the last digits,
// but not from run to run, and not with the number of PEs that the rows are split over.
void spmv(const csr& a, std::span<const double> x, std::span<double> y);

// The product restricted to local rows [first, last): y[first..last) only. `column` stands for a.column: where in x the
// element of each entry is, if x is not the whole vector.
void spmv_rows(const csr& a, std::span<const std::int32_t> column, std::int64_t first, std::int64_t last,
               std::span<const double> x, std::span<double> y);

// Every `keep_every`-th entry in storage order, from the first (EM-X paper, section 5: its matrix B is class S thinned
// by 4). `a` must begin at row 0 for the result to be that of the whole matrix.
csr thin(const csr& a, std::int64_t keep_every);

// Rows [first, last) (global numbers, within a) as a matrix of their own.
csr rows_of(const csr& a, std::int64_t first, std::int64_t last);

// The entries of columns [first, last), in the rows that `a` has; columns keep their numbers.
csr columns_of(const csr& a, std::int64_t first, std::int64_t last);

// Leaves out the rows that have no entry: local row i is then row first_row + kept[i], and `kept` is returned.
std::vector<std::int32_t> drop_empty_rows(csr& a);

}  // namespace npb
