// y = A x, with the entries of A and the elements of x and y dealt out by a layout. The elements of x that other PEs
// have come by an exchange plan, or whole, along the columns of a grid of PEs; sums of rows that several PEs have parts
// of are added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "apps/cg/column_gather.hpp"
#include "apps/cg/layout.hpp"
#include "apps/cg/partial_sums.hpp"
#include "apps/npb/csr.hpp"
#include "tsubu/data/plan/exchange_plan.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

class product {
 public:
  // Collective. part: this PE's rows and columns. By `block` a PE gets all that the layout has for its columns, else
  // what its entries need.
  static tsubu::task<std::unique_ptr<product>> make(npb::csr part, layout where, tsubu::plan_options how);

  // This PE's elements of x: what the caller sets before it multiplies.
  std::span<double> x() { return columns_ ? columns_->own() : plan_.own(); }

  // y: this PE's elements. Collective.
  tsubu::task<void> multiply(std::span<double> y);

  std::string_view exchange() const { return name_of(columns_ ? tsubu::plan_method::block : plan_.method()); }
  // How many elements of x and sums of y this PE needs of others.
  std::size_t needs() const;

 private:
  explicit product(npb::csr part);
  tsubu::task<void> compute(std::span<double> sums);
  void multiply_rows(std::span<const std::int32_t> slots, std::size_t first, std::size_t last,
                     std::span<const double> x, std::span<double> sums);

  npb::csr part_;  // its columns: places in columns_; nothing where the plan's slots take their place
  tsubu::exchange_plan<double> plan_;
  std::optional<column_gather> columns_;  // in the plan's stead
  std::optional<partial_sums> sums_;      // where a row is not on one PE
};

}  // namespace cg
