#include "apps/cg/partial_sums.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

// What a sum takes to be packed or added, for simulated machines: assumed.
static constexpr double clocks_of_sum = 1;

task<partial_sums> partial_sums::make(const layout& where, std::vector<std::int32_t> rows) {
  partial_sums made;
  made.row_ = co_await world().split(this_pe() / where.grid_columns());
  made.mine_.resize(rows.size());
  const std::int64_t first_row = where.rows(this_pe()).first;
  std::vector<std::vector<std::int32_t>> rows_for(static_cast<std::size_t>(made.row_.size()));
  std::size_t next = 0;
  for (pe_id rank = 0; rank < made.row_.size(); ++rank) {
    const range theirs = where.elements(made.row_.pe(rank));
    made.first_for_.push_back(next);
    for (; next < rows.size() && first_row + rows[next] < theirs.last; ++next) {
      rows_for[static_cast<std::size_t>(rank)].push_back(
          static_cast<std::int32_t>(first_row + rows[next] - theirs.first));
    }
  }
  made.first_for_.push_back(next);
  made.rows_from_ = co_await all_to_all(made.row_, std::move(rows_for));
  co_return made;
}

std::size_t partial_sums::others() const {
  std::size_t count = 0;
  for (pe_id rank = 0; rank < row_.size(); ++rank) {
    if (rank != row_.rank()) count += rows_from_[static_cast<std::size_t>(rank)].size();
  }
  return count;
}

task<void> partial_sums::add_up(std::span<double> y) {
  std::vector<std::vector<double>> parts;
  for (std::size_t rank = 0; rank + 1 < first_for_.size(); ++rank) {
    parts.emplace_back(mine_.begin() + static_cast<std::ptrdiff_t>(first_for_[rank]),
                       mine_.begin() + static_cast<std::ptrdiff_t>(first_for_[rank + 1]));
  }
  work(clocks_of_sum * static_cast<double>(mine_.size()));
  parts = co_await all_to_all(row_, std::move(parts));
  std::ranges::fill(y, 0.0);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const std::vector<std::int32_t>& rows = rows_from_[rank];
    for (std::size_t k = 0; k < rows.size(); ++k) y[static_cast<std::size_t>(rows[k])] += parts[rank][k];
  }
  work(clocks_of_sum * static_cast<double>(others()));
}

}  // namespace cg
