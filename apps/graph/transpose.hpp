// Transposes a matrix, by message: bale's kernel transpose_matrix. The entries of each column are counted by one
// message each, which tells how long the new rows are; then each entry goes to its place.
#pragma once

#include "apps/graph/sparse_rows.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace graph {

// The columns of a row of the result are in the order in which they came: see sort_rows(). `of` and `shown` must live
// until the task has ended. Collective.
tsubu::task<sparse_rows> transpose(const sparse_rows* of, program::progress* shown);

}  // namespace graph
