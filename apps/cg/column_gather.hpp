// The elements of x for the columns that a PE has, whole: each PE of a column of the grid gets those of one other PE,
// and then all of the column have them from each other.
//
// Source: the order of NPB CG's MPI version (Bailey et al.): an exchange across the diagonal, then along columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/cg/layout.hpp"
#include "tsubu/data/plan/exchange_plan.hpp"
#include "tsubu/remote/collectives/team.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

class column_gather {
 public:
  // For n elements. Collective.
  static tsubu::task<column_gather> make(const layout& where, std::size_t n);

  // This PE's elements, which the caller sets.
  std::span<double> own() { return across_.own(); }
  // How many elements come from other PEs.
  std::size_t others() const { return others_; }

  // Those of layout::columns(this_pe()); valid until the next call. Collective.
  tsubu::task<std::span<const double>> gather();

 private:
  tsubu::exchange_plan<double> across_;  // the elements of one PE
  tsubu::team column_;
  std::vector<double> x_;
  std::size_t others_ = 0;
};

}  // namespace cg
