#include "apps/cg/product.hpp"

#include <utility>

#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

namespace {

// What a nonzero takes, declared for simulated machines of the processors of today: fitted to classes S and W on one PE
// of a 2-core x86-64 VM, in clocks of 0.4 ns. The matrix is in a cache there.
constexpr double clocks_of_nonzero = 1.4;

}  // namespace

product::product(npb::csr part) : part_(std::move(part)) {}

task<std::unique_ptr<product>> product::make(npb::csr part, layout where, plan_options how) {
  std::unique_ptr<product> made(new product(std::move(part)));
  const auto n = static_cast<std::size_t>(made->part_.columns);
  if (where.grid_columns() > 1) made->sums_ = co_await partial_sums::make(where, npb::drop_empty_rows(made->part_));
  if (where.grid_columns() > 1 && how.method == plan_method::block) {
    const auto first = static_cast<std::int32_t>(where.columns(this_pe()).first);
    for (std::int32_t& column : made->part_.column) column -= first;
    made->columns_ = co_await column_gather::make(where, n);
    co_return made;
  }
  made->plan_ = co_await plan_exchange<double>(n, where, made->part_.column, how);
  made->part_.column = {};
  co_return made;
}

std::size_t product::needs() const {
  return (columns_ ? columns_->others() : plan_.others()) + (sums_ ? sums_->others() : 0);
}

task<void> product::multiply(std::span<double> y) {
  co_await compute(sums_ ? sums_->mine() : y);
  if (sums_) co_await sums_->add_up(y);
}

task<void> product::compute(std::span<double> sums) {
  if (columns_) {
    const std::span<const double> x = co_await columns_->gather();
    multiply_rows(part_.column, 0, static_cast<std::size_t>(part_.rows()), x, sums);
    co_return;
  }
  auto rows_in = [this, sums](std::size_t first, std::size_t last, std::span<const double> x) {
    multiply_rows(plan_.slots(), first, last, x, sums);
  };
  co_await plan_.visit(x(), part_.row_start, rows_in);
}

void product::multiply_rows(std::span<const std::int32_t> slots, std::size_t first, std::size_t last,
                            std::span<const double> x, std::span<double> sums) {
  npb::spmv_rows(part_, slots, static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), x, sums);
  work(clocks_of_nonzero * static_cast<double>(part_.row_start[last] - part_.row_start[first]));
}

}  // namespace cg
