#include "apps/cg/product.hpp"

namespace cg {

product::product(npb::csr rows)
    : rows_(std::move(rows)),
      x_(static_cast<std::size_t>(rows_.columns)),
      block_(std::span(x_).subspan(static_cast<std::size_t>(rows_.first_row), static_cast<std::size_t>(rows_.rows()))) {
}

tsubu::task<std::unique_ptr<product>> product::make(npb::csr rows, exchange_kind kind) {
  std::unique_ptr<product> made(new product(std::move(rows)));
  if (kind == exchange_kind::block) {
    made->exchange_ = co_await make_block_exchange(made->x_);
  } else {
    made->exchange_ = co_await make_update_exchange(made->rows_, made->x_);
  }
  co_return made;
}

tsubu::task<void> product::multiply(std::span<double> y) {
  co_await exchange_->complete();
  npb::spmv(rows_, x_, y);
}

}  // namespace cg
