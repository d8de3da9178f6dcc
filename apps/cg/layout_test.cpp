// Promise: each entry of the matrix is on one PE, and so is each element of a vector; a PE's rows are those of the
// elements that its row of the grid has; home() agrees. Method: every distribution, on 1 to 24 PEs, more PEs than
// elements, and runs of unequal length.
#include "apps/cg/layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cg {
namespace {

void expect_whole(const layout& where, std::int64_t n, tsubu::pe_id pes) {
  std::vector<int> entries(static_cast<std::size_t>(n * n));
  for (tsubu::pe_id pe = 0; pe < pes; ++pe) {
    const range rows = where.rows(pe), columns = where.columns(pe), mine = where.elements(pe);
    for (std::int64_t i = rows.first; i < rows.last; ++i) {
      for (std::int64_t j = columns.first; j < columns.last; ++j) ++entries[static_cast<std::size_t>(i * n + j)];
    }
    EXPECT_LE(rows.first, mine.first) << "PE " << pe;
    EXPECT_GE(rows.last, mine.last) << "PE " << pe;
    for (std::int64_t i = mine.first; i < mine.last; ++i)
      EXPECT_EQ(where.home(static_cast<std::size_t>(i), static_cast<std::size_t>(n), pes), pe) << "element " << i;
  }
  for (std::size_t k = 0; k < entries.size(); ++k) ASSERT_EQ(entries[k], 1) << "entry " << k << " on " << pes << " PEs";
}

TEST(layout, deals_out_each_entry_once) {
  for (const distribution how : {distribution::rows, distribution::columns, distribution::blocks}) {
    for (tsubu::pe_id pes = 1; pes <= 24; ++pes) {
      for (const std::int64_t n : {1, 10, 23, 24, 50}) {
        const layout where = layout::even(how, n, pes);
        EXPECT_EQ(where.grid_rows() * where.grid_columns(), pes);
        expect_whole(where, n, pes);
      }
    }
    expect_whole(layout(how, {0, 0, 5, 5, 6, 17, 17, 20, 20}), 20, 8);
  }
}

TEST(layout, has_square_blocks_where_it_can) {
  EXPECT_EQ(layout::even(distribution::blocks, 100, 16).name(), "blocks, 4 x 4");
  EXPECT_EQ(layout::even(distribution::blocks, 100, 8).name(), "blocks, 4 x 2");
  EXPECT_EQ(layout::even(distribution::blocks, 100, 12).name(), "blocks, 4 x 3");
  EXPECT_EQ(layout::even(distribution::blocks, 100, 7).name(), "rows");
  EXPECT_EQ(layout::even(distribution::columns, 100, 7).name(), "columns");
}

}  // namespace
}  // namespace cg
