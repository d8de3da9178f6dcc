#include "apps/cg/product.hpp"

#include <utility>

#include "apps/npb/blocks.hpp"
#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

namespace {

// What a nonzero takes, declared for simulated machines of the processors of today: fitted to classes S and W on one PE
// of a 2-core x86-64 VM, in clocks of 0.4 ns. The matrix is in a cache there.
constexpr double clocks_of_nonzero = 1.4;

struct row_blocks {
  pe_id home(std::size_t i, std::size_t n, pe_id pes) const {
    return static_cast<pe_id>(npb::block_owner(static_cast<std::int64_t>(n), pes, static_cast<std::int64_t>(i)));
  }
};

}  // namespace

product::product(npb::csr rows) : rows_(std::move(rows)) {}

task<std::unique_ptr<product>> product::make(npb::csr rows, plan_options how) {
  std::unique_ptr<product> made(new product(std::move(rows)));
  const auto n = static_cast<std::size_t>(made->rows_.columns);
  made->plan_ = co_await plan_exchange<double>(n, row_blocks(), made->rows_.column, how);
  made->rows_.column = {};
  co_return made;
}

task<void> product::multiply(std::span<double> y) {
  auto multiply_rows = [this, y](std::size_t first, std::size_t last, std::span<const double> x) {
    npb::spmv_rows(rows_, plan_.slots(), static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), x, y);
    work(clocks_of_nonzero * static_cast<double>(rows_.row_start[last] - rows_.row_start[first]));
  };
  co_await plan_.visit(x(), rows_.row_start, multiply_rows);
}

}  // namespace cg
