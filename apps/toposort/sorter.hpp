// Puts the rows and columns of a matrix into an order in which it is upper triangular with a full diagonal.
//
// bale's algorithm. Each row knows how many of its entries are left and the sum of their columns. A row with one entry
// left thereby knows its column: the entry is a pivot, the last on the diagonal but for those found before. Its column
// is taken out of all other rows, a message each, which may leave one of these with one entry. Rows found at the same
// time would take places by chance; so each pivot has a level, one more than the highest level of what was taken out of
// its row, and the levels are laid out from the last to the first.
#pragma once

#include <vector>

#include "apps/graph/sparse_rows.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace toposort {

struct order {
  std::vector<graph::vertex> new_row;     // of this PE's rows
  std::vector<graph::vertex> new_column;  // of this PE's columns
  std::int64_t placed = 0;                // pivots found, everywhere; if fewer than rows, there is no such order
  std::int64_t levels = 0;
  std::int64_t messages = 0;  // sent, everywhere
};

// `matrix` is square; `columns` is its transpose. Both must live until the task has ended. Collective.
tsubu::task<order> sort(const graph::sparse_rows* matrix, const graph::sparse_rows* columns);

struct verdict {
  bool permutations = false;  // each place was given to one row and to one column
  std::int64_t below = 0;     // entries below the diagonal
  std::int64_t diagonal = 0;  // entries on it
};

// Looks at where `of` puts each entry of the matrix. Collective.
tsubu::task<verdict> inspect(const graph::sparse_rows* matrix, const order* of);

}  // namespace toposort
