// Renumbering the rows and columns of a symmetric matrix, so that its entries come near the diagonal: then PEs that
// have blocks of rows need little of each other.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/npb/csr.hpp"

namespace npb {

// The reverse Cuthill-McKee order of a whole matrix: the row that comes first, .., last. Each connected part begins at
// a row far from its others, and goes on by breadth, rows of few entries first.
//
// Source: Cuthill and McKee 1969; George and Liu 1979, for the row to begin at.
std::vector<std::int32_t> reverse_cuthill_mckee(const csr& whole);

// The matrix with that order of rows and of columns, whose indices ascend again in each row.
csr reordered(const csr& whole, const std::vector<std::int32_t>& order);

// The largest distance of an entry from the diagonal.
std::int64_t bandwidth(const csr& whole);

}  // namespace npb
