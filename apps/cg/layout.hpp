// Which PE has which part of the vectors and of the matrix.
//
// Each PE has a run of the elements of every vector. The PEs stand in a grid, row by row; a PE has of the matrix the
// rows whose elements its row of the grid has, and of these the columns whose elements are the next such run for each
// column of the grid. A grid of one column deals out whole rows, a grid of one row whole columns.
//
// Source: the three distributions that EM-X sparse CG (Sato et al. 1997, section 3.1) names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/remote/pe.hpp"

namespace cg {

enum class distribution { rows, columns, blocks };

struct range {
  std::int64_t first = 0, last = 0;
};

// Also a distribution of the elements for plan_exchange().
class layout {
 public:
  // first: PE i has the elements [first[i], first[i + 1]).
  layout(distribution how, std::vector<std::int64_t> first);
  // As many elements for each PE, up to one.
  static layout even(distribution how, std::int64_t n, tsubu::pe_id pes);

  const std::vector<std::int64_t>& first() const { return first_; }
  tsubu::pe_id grid_rows() const { return pes() / grid_columns_; }
  tsubu::pe_id grid_columns() const { return grid_columns_; }
  // "rows", "columns" or "blocks, 4 x 2"
  std::string name() const;

  // What this and that PE have: of a vector, and of the matrix.
  range elements(tsubu::pe_id pe) const { return run(pe, pe + 1); }
  range rows(tsubu::pe_id pe) const;
  range columns(tsubu::pe_id pe) const;

  tsubu::pe_id home(std::size_t i, std::size_t n, tsubu::pe_id pes) const;

 private:
  tsubu::pe_id pes() const { return static_cast<tsubu::pe_id>(first_.size()) - 1; }
  range run(tsubu::pe_id from, tsubu::pe_id to) const;

  std::vector<std::int64_t> first_;
  tsubu::pe_id grid_columns_;
};

}  // namespace cg
