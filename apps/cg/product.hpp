// y = A x, with the rows of A and the elements of x and y distributed in blocks (npb/blocks.hpp). The elements of x
// that other PEs have come by an exchange plan.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "apps/npb/csr.hpp"
#include "tsubu/data/plan/exchange_plan.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

class product {
 public:
  // Collective. rows: the block of rows of this PE.
  static tsubu::task<std::unique_ptr<product>> make(npb::csr rows, tsubu::plan_options how);

  // This PE's block of x: what the caller sets before it multiplies. As many elements as the PE has rows.
  std::span<double> x() { return plan_.own(); }

  // y: this PE's block. Collective.
  tsubu::task<void> multiply(std::span<double> y);

  std::size_t rows() const { return static_cast<std::size_t>(rows_.rows()); }
  std::string_view exchange() const { return name_of(plan_.method()); }

 private:
  explicit product(npb::csr rows);

  npb::csr rows_;  // without columns, whose place the plan's slots take
  tsubu::exchange_plan<double> plan_;
};

}  // namespace cg
