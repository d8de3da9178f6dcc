// Random matrices and graphs in which every place is filled with the same probability (Erdos and Renyi, On random
// graphs, 1959). Each row has random numbers of its own, so the matrix does not depend on the number of PEs.
#pragma once

#include <cstdint>

#include "apps/graph/sparse_rows.hpp"
#include "tsubu/base/random.hpp"

namespace graph {

// Which places may be filled.
enum class part {
  whole,
  no_diagonal,          // a graph without loops
  strictly_lower,       // each edge of an undirected graph without loops once
  upper_with_diagonal,  // the diagonal is filled for certain
};

// The random numbers of item `number`, a row for instance, under `seed`.
tsubu::random_source numbers_of(std::uint64_t seed, std::uint64_t number);

// The rows of `share`. A place of `within` is filled with probability min(1, degree / columns), so a row of a whole
// matrix has `degree` entries on average. Values are uniform in (0, 1]. Local.
sparse_rows random_rows(cyclic share, vertex rows, vertex columns, double degree, std::uint64_t seed, part within);

}  // namespace graph
