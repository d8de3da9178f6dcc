// Dealing the rows of a symmetric matrix out to PEs so that these need little of each other: as parts of its graph,
// which METIS cuts.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/npb/csr.hpp"

namespace npb {

struct row_parts {
  std::vector<std::int32_t> order;  // the row that comes first, .., last: the rows of a part are beside each other
  std::vector<std::int64_t> first;  // part i has rows [first[i], first[i + 1]) of that order
};

// Parts of nearly as many entries each, cut so that few rows are needed by parts that do not have them. A part may be
// empty. Throws std::runtime_error where METIS is not there, or gives up.
//
// Source: Karypis and Kumar 1998 (multilevel k-way partitioning), by the volume of communication.
row_parts partition_rows(const csr& whole, std::int32_t parts);

}  // namespace npb
