#include "apps/cg/column_gather.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

task<column_gather> column_gather::make(const layout& where, std::size_t n) {
  const pe_id row = this_pe() / where.grid_columns(), column = this_pe() % where.grid_columns();
  const range theirs = where.elements(column * where.grid_rows() + row), mine = where.elements(this_pe());
  std::vector<std::int64_t> needed(static_cast<std::size_t>(theirs.last - theirs.first));
  std::iota(needed.begin(), needed.end(), theirs.first);

  column_gather made;
  made.across_ = co_await plan_exchange<double>(n, where, needed, {.method = plan_method::packed});
  made.column_ = co_await world().split(column);
  const range all = where.columns(this_pe());
  made.x_.resize(static_cast<std::size_t>(all.last - all.first));
  const std::int64_t at_home = std::min(all.last, mine.last) - std::max(all.first, mine.first);
  made.others_ = made.x_.size() - static_cast<std::size_t>(std::max<std::int64_t>(0, at_home));
  co_return made;
}

task<std::span<const double>> column_gather::gather() {
  const std::span<const double> view = co_await across_.gather(own());
  std::vector<double> part;
  for (const std::int32_t slot : across_.slots()) part.push_back(view[static_cast<std::size_t>(slot)]);
  const std::vector<std::vector<double>> parts = co_await all_gather(column_, std::move(part));
  auto end = x_.begin();
  for (const std::vector<double>& each : parts) end = std::ranges::copy(each, end).out;
  co_return x_;
}

}  // namespace cg
