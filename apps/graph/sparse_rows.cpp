#include "apps/graph/sparse_rows.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "tsubu/base/random.hpp"

namespace graph {

sparse_rows assemble(cyclic share, vertex rows, vertex columns, std::vector<entry> entries, repeats at_one_place) {
  // By value last, that the sum of repeats does not depend on the order in which they came.
  std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) {
    return std::tie(a.row, a.column, a.value) < std::tie(b.row, b.column, b.value);
  });
  sparse_rows made;
  made.share = share;
  made.rows = rows;
  made.columns = columns;
  made.column.reserve(entries.size());
  made.value.reserve(entries.size());
  const vertex mine = share.count(rows);
  made.start.reserve(std::size_t{mine} + 1);
  auto next = entries.cbegin();
  for (vertex local = 0; local < mine; ++local) {
    const vertex row = share.global(local);
    for (; next != entries.cend() && next->row == row; ++next) {
      const bool repeated = made.column.size() > made.start.back() && made.column.back() == next->column;
      if (!repeated) {
        made.column.push_back(next->column);
        made.value.push_back(next->value);
      } else if (at_one_place == repeats::add) {
        made.value.back() += next->value;
      }
    }
    made.start.push_back(made.column.size());
  }
  return made;
}

void make_room(sparse_rows& made, std::vector<std::uint64_t>& next) {
  made.start.assign(1, 0);
  for (std::uint64_t& place : next) {
    const std::uint64_t length = std::exchange(place, made.start.back());
    made.start.push_back(place + length);
  }
  made.column.resize(made.nonzeros());
  made.value.resize(made.nonzeros());
}

void sort_rows(sparse_rows& made) {
  std::vector<std::pair<vertex, double>> row;
  for (vertex local = 0; local < made.local_rows(); ++local) {
    const std::uint64_t first = made.start[local], last = made.start[local + 1];
    row.clear();
    for (std::uint64_t k = first; k < last; ++k) row.emplace_back(made.column[k], made.value[k]);
    std::sort(row.begin(), row.end());
    for (std::uint64_t k = first; k < last; ++k) std::tie(made.column[k], made.value[k]) = row[k - first];
  }
}

std::uint64_t entry_digest(const entry& of) {
  const std::uint64_t place = (std::uint64_t{of.row} << 32) | of.column;
  const std::uint64_t place_hash = tsubu::random_source(place)();
  return tsubu::random_source(place_hash ^ std::bit_cast<std::uint64_t>(of.value))();
}

std::uint64_t digest(const sparse_rows& of) {
  std::uint64_t sum = 0;
  for (vertex local = 0; local < of.local_rows(); ++local) {
    for (std::uint64_t k = of.start[local]; k < of.start[local + 1]; ++k)
      sum += entry_digest({of.share.global(local), of.column[k], of.value[k]});
  }
  return sum;
}

}  // namespace graph
