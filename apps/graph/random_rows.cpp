#include "apps/graph/random_rows.hpp"

#include <algorithm>
#include <cmath>

namespace graph {
namespace {

// Uniform in (0, 1].
double uniform(tsubu::random_source& numbers) { return (static_cast<double>(numbers() >> 11) + 1) * 0x1p-53; }

// Appends a row's columns of [first, last), each with probability p: the gaps between them are distributed
// geometrically.
void add_columns(sparse_rows& to, vertex first, vertex last, double p, tsubu::random_source& numbers) {
  if (p <= 0) return;
  const double log_of_none = std::log1p(-p);
  double next = first;
  while (true) {
    const double u = uniform(numbers);
    if (p < 1) next += std::floor(std::log(u) / log_of_none);
    if (next >= last) return;
    to.column.push_back(static_cast<vertex>(next));
    to.value.push_back(uniform(numbers));
    next += 1;
  }
}

}  // namespace

tsubu::random_source numbers_of(std::uint64_t seed, std::uint64_t number) {
  // Hashed twice: streams that begin at neighbouring states would share their numbers.
  return tsubu::random_source(tsubu::random_source(tsubu::random_source(seed)() ^ number)());
}

sparse_rows random_rows(cyclic share, vertex rows, vertex columns, double degree, std::uint64_t seed, part within) {
  sparse_rows made;
  made.share = share;
  made.rows = rows;
  made.columns = columns;
  const double p = std::min(1.0, degree / columns);
  for (vertex local = 0; local < share.count(rows); ++local) {
    const vertex row = share.global(local);
    tsubu::random_source numbers = numbers_of(seed, row);
    const vertex below = std::min(row, columns);                                // columns before the diagonal
    const vertex above = std::min(columns, row < columns ? row + 1 : columns);  // the first one after it
    if (within != part::upper_with_diagonal) add_columns(made, 0, within == part::whole ? columns : below, p, numbers);
    if (within == part::upper_with_diagonal && row < columns) {
      made.column.push_back(row);
      made.value.push_back(uniform(numbers));
    }
    if (within == part::no_diagonal || within == part::upper_with_diagonal)
      add_columns(made, above, columns, p, numbers);
    made.start.push_back(made.column.size());
  }
  return made;
}

}  // namespace graph
