// Permutes the rows and columns of a matrix, by message: bale's kernel permute_matrix. Each row tells its new owner how
// long it is. Then each entry travels to the owner of its column, who knows where columns go, and on to its new row.
#pragma once

#include "apps/graph/random_permutation.hpp"
#include "apps/graph/sparse_rows.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace graph {

// The columns of a row of the result are in the order in which they came: see sort_rows(). `of` and `shown` must live
// until the task has ended. Collective.
tsubu::task<sparse_rows> permute(const sparse_rows* of, random_permutation rows, random_permutation columns,
                                 program::progress* shown);

}  // namespace graph
