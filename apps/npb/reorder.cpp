#include "apps/npb/reorder.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>

namespace npb {
namespace {

std::span<const std::int32_t> neighbours(const csr& a, std::int32_t row) {
  const auto begin = static_cast<std::size_t>(a.row_start[static_cast<std::size_t>(row)]);
  const auto end = static_cast<std::size_t>(a.row_start[static_cast<std::size_t>(row) + 1]);
  return std::span(a.column).subspan(begin, end - begin);
}

// Rows by breadth from one of them, of those that `seen` does not name; it then does. Returns how far the last one is.
std::int64_t by_breadth(const csr& a, std::int32_t from, std::vector<bool>& seen, std::vector<std::int32_t>& rows) {
  const std::size_t first = rows.size();
  rows.push_back(from);
  seen[static_cast<std::size_t>(from)] = true;
  std::int64_t levels = 0;
  for (std::size_t level = first; level < rows.size(); ++levels) {
    const std::size_t level_end = rows.size();
    for (; level < level_end; ++level) {
      const std::size_t found = rows.size();
      for (const std::int32_t next : neighbours(a, rows[level])) {
        if (seen[static_cast<std::size_t>(next)]) continue;
        seen[static_cast<std::size_t>(next)] = true;
        rows.push_back(next);
      }
      std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(found), rows.end(),
                       [&](auto x, auto y) { return neighbours(a, x).size() < neighbours(a, y).size(); });
    }
  }
  return levels - 1;
}

// A row from which the others of its part are as far as from few: goes to a farthest one as long as that is farther.
std::int32_t far_row(const csr& a, std::int32_t start) {
  std::int64_t distance = -1;
  std::vector<bool> seen(static_cast<std::size_t>(a.rows()));
  for (;;) {
    std::vector<std::int32_t> rows;
    const std::int64_t farther = by_breadth(a, start, seen, rows);
    for (const std::int32_t row : rows) seen[static_cast<std::size_t>(row)] = false;
    if (farther <= distance) return start;
    distance = farther;
    start = rows.back();
  }
}

}  // namespace

std::vector<std::int32_t> reverse_cuthill_mckee(const csr& whole) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(static_cast<std::size_t>(whole.rows()));
  for (std::int32_t row = 0; row < whole.rows(); ++row) {
    if (!seen[static_cast<std::size_t>(row)]) by_breadth(whole, far_row(whole, row), seen, order);
  }
  std::ranges::reverse(order);
  return order;
}

csr reordered(const csr& whole, const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> new_number(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    new_number[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
  csr made;
  made.first_row = whole.first_row;
  made.columns = whole.columns;
  std::vector<std::pair<std::int32_t, double>> row;
  for (const std::int32_t old : order) {
    const auto begin = static_cast<std::size_t>(whole.row_start[static_cast<std::size_t>(old)]);
    const std::span<const std::int32_t> columns = neighbours(whole, old);
    row.clear();
    for (std::size_t k = 0; k < columns.size(); ++k)
      row.emplace_back(new_number[static_cast<std::size_t>(columns[k])], whole.value[begin + k]);
    std::ranges::sort(row);
    for (const auto& [column, value] : row) {
      made.column.push_back(column);
      made.value.push_back(value);
    }
    made.row_start.push_back(static_cast<std::int64_t>(made.column.size()));
  }
  return made;
}

std::int64_t bandwidth(const csr& whole) {
  std::int64_t widest = 0;
  for (std::int32_t row = 0; row < whole.rows(); ++row) {
    for (const std::int32_t column : neighbours(whole, row))
      widest = std::max<std::int64_t>(widest, std::abs(std::int64_t{column} - row));
  }
  return widest;
}

}  // namespace npb
