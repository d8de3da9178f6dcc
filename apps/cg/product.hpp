// y = A x, with the rows of A and the elements of x and y distributed in blocks (npb/blocks.hpp).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "apps/cg/exchange.hpp"
#include "apps/npb/csr.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

enum class exchange_kind { block, update };

class product {
 public:
  // Collective. rows: the block of rows of this PE.
  static tsubu::task<std::unique_ptr<product>> make(npb::csr rows, exchange_kind kind);

  // This PE's block of x: what the caller sets before it multiplies. As many elements as the PE has rows.
  std::span<double> x() const { return block_; }

  // y: this PE's block. Collective; between two calls every PE takes part in an all_reduce or a barrier (see
  // exchange.hpp).
  tsubu::task<void> multiply(std::span<double> y);

  std::size_t rows() const { return block_.size(); }
  std::int64_t columns() const { return rows_.columns; }

 private:
  explicit product(npb::csr rows);

  npb::csr rows_;
  std::vector<double> x_;    // all elements
  std::span<double> block_;  // those of this PE
  std::unique_ptr<exchange> exchange_;
};

}  // namespace cg
