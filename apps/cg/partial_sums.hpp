// What the PEs of a row of the grid have computed of the same rows, added up: each PE sends every other its sums of the
// rows that are that one's, all to all. They are added in the order of the PEs, so that runs give the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/cg/layout.hpp"
#include "tsubu/remote/collectives/team.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

class partial_sums {
 public:
  // rows: those of which this PE has sums, ascending, counted from the first of its row of the grid. Collective.
  static tsubu::task<partial_sums> make(const layout& where, std::vector<std::int32_t> rows);

  // Where the sums are expected, in the order of the rows.
  std::span<double> mine() { return mine_; }
  // How many sums come from other PEs.
  std::size_t others() const;

  // y: the sums of this PE's elements. Collective in the row of the grid.
  tsubu::task<void> add_up(std::span<double> y);

 private:
  tsubu::team row_;
  std::vector<double> mine_;
  std::vector<std::size_t> first_for_;                // by rank: where its sums begin in mine_, and at last their end
  std::vector<std::vector<std::int32_t>> rows_from_;  // by rank: this PE's elements of which it sends sums
};

}  // namespace cg
