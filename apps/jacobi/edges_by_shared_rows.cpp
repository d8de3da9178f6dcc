#include "apps/jacobi/edges.hpp"

namespace jacobi {
namespace {

using namespace tsubu;
using rows = shared_array<std::vector<double>>;

// A PE has two rows that others read, and these in two versions: while a neighbour may still read the row of a step,
// the row of the next one is written beside it.
class shared_exchange final : public edge_exchange {
 public:
  shared_exchange(rows even, rows odd) : versions_{even, odd} {}

  task<void> exchange(grid_block& block) override {
    const rows all = versions_[step_++ % 2];
    const auto me = static_cast<std::size_t>(this_pe());
    const auto upper = block.upper_row(), lower = block.lower_row();
    co_await all[2 * me].write(std::vector(upper.begin(), upper.end()));
    co_await all[2 * me + 1].write(std::vector(lower.begin(), lower.end()));
    co_await barrier();  // all have written: from now on every PE reads the new rows
    if (me != 0) co_await read(all, 2 * me - 1, [&](std::span<const double> row) { block.set_above(row); });
    if (2 * me + 2 != all.size()) {
      co_await read(all, 2 * me + 2, [&](std::span<const double> row) { block.set_below(row); });
    }
  }

 private:
  // The row where it lies, if there is a copy here.
  template <class Use>
  static task<void> read(rows all, std::size_t i, Use use) {
    if (const std::vector<double>* here = all[i].copy()) {
      use(*here);
      co_return;
    }
    const std::vector<double> row = co_await all[i].read();
    use(row);
  }

  rows versions_[2];
  std::uint64_t step_ = 0;
};

}  // namespace

task<std::unique_ptr<edge_exchange>> exchange_by_shared_rows(protocol how) {
  const std::size_t n = 2 * static_cast<std::size_t>(pe_count());
  const rows even = co_await create_shared_array<std::vector<double>>(n, by_block(), how);
  const rows odd = co_await create_shared_array<std::vector<double>>(n, by_block(), how);
  co_return std::make_unique<shared_exchange>(even, odd);
}

}  // namespace jacobi
