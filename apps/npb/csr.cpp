#include "apps/npb/csr.hpp"

#include <algorithm>
#include <utility>

namespace npb {
namespace {

// How far ahead of its use the matrix is asked for, in entries: 3 KiB. The matrix streams through the caches once a
// product, and its many short rows keep the hardware from running far enough ahead by itself (0.62 against 0.83 ns an
// entry for class A on the VM of docs/performance.md; 64 and 512 were slower).
constexpr std::int64_t lookahead = 256;

}  // namespace

void spmv_rows(const csr& a, std::span<const std::int32_t> columns, std::int64_t first, std::int64_t last,
               std::span<const double> x, std::span<double> y) {
  const std::int32_t* const column = columns.data();
  const double* const value = a.value.data();
  const double* const vector = x.data();
  for (std::int64_t i = first; i < last; ++i) {
    const auto row = static_cast<std::size_t>(i);
    std::int64_t k = a.row_start[row];
    const std::int64_t end = a.row_start[row + 1];
    // Four sums: one would wait for the latency of each addition.
    double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    for (; k + 4 <= end; k += 4) {
      __builtin_prefetch(value + k + lookahead);
      __builtin_prefetch(column + k + lookahead);
      sum0 += value[k] * vector[column[k]];
      sum1 += value[k + 1] * vector[column[k + 1]];
      sum2 += value[k + 2] * vector[column[k + 2]];
      sum3 += value[k + 3] * vector[column[k + 3]];
    }
    for (; k < end; ++k) sum0 += value[k] * vector[column[k]];
    y[row] = (sum0 + sum1) + (sum2 + sum3);
  }
}

void spmv(const csr& a, std::span<const double> x, std::span<double> y) { spmv_rows(a, a.column, 0, a.rows(), x, y); }

csr thin(const csr& a, std::int64_t keep_every) {
  csr kept;
  kept.first_row = a.first_row;
  kept.columns = a.columns;
  std::int64_t next = 0;
  for (std::size_t i = 0; i + 1 < a.row_start.size(); ++i) {
    for (; next < a.row_start[i + 1]; next += keep_every) {
      kept.column.push_back(a.column[static_cast<std::size_t>(next)]);
      kept.value.push_back(a.value[static_cast<std::size_t>(next)]);
    }
    kept.row_start.push_back(static_cast<std::int64_t>(kept.column.size()));
  }
  return kept;
}

csr rows_of(const csr& a, std::int64_t first, std::int64_t last) {
  const auto from = static_cast<std::size_t>(first - a.first_row);
  const auto to = static_cast<std::size_t>(last - a.first_row);
  const std::int64_t begin = a.row_start[from];
  const std::int64_t end = a.row_start[to];
  csr part;
  part.first_row = first;
  part.columns = a.columns;
  for (std::size_t i = from; i < to; ++i) part.row_start.push_back(a.row_start[i + 1] - begin);
  part.column.assign(a.column.begin() + begin, a.column.begin() + end);
  part.value.assign(a.value.begin() + begin, a.value.begin() + end);
  return part;
}

csr columns_of(const csr& a, std::int64_t first, std::int64_t last) {
  csr part;
  part.first_row = a.first_row;
  part.columns = a.columns;
  for (std::size_t i = 0; i + 1 < a.row_start.size(); ++i) {
    const auto row_begin = a.column.begin() + a.row_start[i], row_end = a.column.begin() + a.row_start[i + 1];
    const auto begin = std::lower_bound(row_begin, row_end, first), end = std::lower_bound(begin, row_end, last);
    part.column.insert(part.column.end(), begin, end);
    part.value.insert(part.value.end(), a.value.begin() + (begin - a.column.begin()),
                      a.value.begin() + (end - a.column.begin()));
    part.row_start.push_back(static_cast<std::int64_t>(part.column.size()));
  }
  return part;
}

std::vector<std::int32_t> drop_empty_rows(csr& a) {
  std::vector<std::int32_t> kept;
  std::vector<std::int64_t> row_start{0};
  for (std::size_t i = 0; i + 1 < a.row_start.size(); ++i) {
    if (a.row_start[i] == a.row_start[i + 1]) continue;
    kept.push_back(static_cast<std::int32_t>(i));
    row_start.push_back(a.row_start[i + 1]);
  }
  a.row_start = std::move(row_start);
  return kept;
}

}  // namespace npb
