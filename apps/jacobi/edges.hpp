// How the PEs of a grid get their neighbours' rows before each step.
#pragma once

#include <memory>

#include "apps/jacobi/grid.hpp"
#include "tsubu/tsubu.hpp"

namespace jacobi {

class edge_exchange {
 public:
  virtual ~edge_exchange() = default;
  // Gives the rows of this PE's block to its neighbours and takes theirs. Every PE calls it once for each step.
  virtual tsubu::task<void> exchange(grid_block& block) = 0;
};

// Written by hand: a row is a message to the neighbour that needs it.
std::unique_ptr<edge_exchange> exchange_by_messages();

// As shared data: a row is an element of a shared array, which its PE writes and its neighbours read. Collective.
tsubu::task<std::unique_ptr<edge_exchange>> exchange_by_shared_rows(tsubu::protocol how);

}  // namespace jacobi
