#include "apps/cg/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "apps/npb/blocks.hpp"

namespace cg {

using namespace tsubu;

namespace {

// Blocks as square as the number of PEs allows, rather high than wide: of a prime number, rows.
pe_id columns_of_grid(distribution how, pe_id pes) {
  if (how == distribution::rows) return 1;
  if (how == distribution::columns) return pes;
  pe_id columns = 1;
  for (pe_id c = 2; c <= pes / c; ++c) {
    if (pes % c == 0) columns = c;
  }
  return columns;
}

}  // namespace

layout::layout(distribution how, std::vector<std::int64_t> first)
    : first_(std::move(first)), grid_columns_(columns_of_grid(how, pes())) {}

layout layout::even(distribution how, std::int64_t n, pe_id pes) {
  std::vector<std::int64_t> first;
  for (pe_id pe = 0; pe <= pes; ++pe) first.push_back(npb::block_first(n, pes, pe));
  return {how, std::move(first)};
}

std::string layout::name() const {
  if (grid_columns() == 1) return "rows";
  if (grid_rows() == 1) return "columns";
  return fmt::format("blocks, {} x {}", grid_rows(), grid_columns());
}

range layout::run(pe_id from, pe_id to) const {
  return {first_[static_cast<std::size_t>(from)], first_[static_cast<std::size_t>(to)]};
}

range layout::rows(pe_id pe) const {
  const pe_id row = pe / grid_columns();
  return run(row * grid_columns(), (row + 1) * grid_columns());
}

range layout::columns(pe_id pe) const {
  const pe_id column = pe % grid_columns();
  return run(column * grid_rows(), (column + 1) * grid_rows());
}

pe_id layout::home(std::size_t i, std::size_t, pe_id) const {
  const auto behind = std::ranges::upper_bound(first_, static_cast<std::int64_t>(i));
  return static_cast<pe_id>(behind - first_.begin()) - 1;
}

}  // namespace cg
