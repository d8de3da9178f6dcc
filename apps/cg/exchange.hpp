// Completing a vector that is distributed in blocks.
//
// A PE that has some rows of A needs, for a product A x, elements of x that other PEs own. So each PE keeps a copy of
// the whole x: it computes its own block of it (npb/blocks.hpp), and an exchange fills in the rest.
//
//   block   every PE writes its block into every other PE's copy, in one piece
//   update  every PE writes only the elements that the other PE's rows refer to, a message each
//
// Source: EM-X sparse CG, section 4 ("blk" and "upd").
//
// Nothing is acknowledged, and no copy is kept twice. That is right because of what the caller promises: between two
// calls of complete(), after it has used its copy, every PE takes part in an all_reduce or a barrier. No PE returns
// from one of these before all have called it. Hence, when a PE writes the elements of the next product,
//   - no PE still reads its copy for the last product: it has called the all_reduce after that;
//   - each PE has taken note of all that arrived for the last product, so arrivals of two products are never mixed;
//   - what this PE wrote for the last product has landed everywhere, so its block was free to change since.
#pragma once

#include <memory>
#include <span>

#include "apps/npb/csr.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

class exchange {
 public:
  virtual ~exchange() = default;

  // Returns when this PE's copy has every element that its rows refer to. Collective.
  virtual tsubu::task<void> complete() = 0;
};

// Collective. x: this PE's copy, all elements; it must stay where it is until the exchange is destroyed.
tsubu::task<std::unique_ptr<exchange>> make_block_exchange(std::span<double> x);

// Collective. rows: this PE's rows of A, needed only until the task ends.
tsubu::task<std::unique_ptr<exchange>> make_update_exchange(const npb::csr& rows, std::span<double> x);

}  // namespace cg
