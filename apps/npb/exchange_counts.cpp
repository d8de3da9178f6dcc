#include "apps/npb/exchange_counts.hpp"

#include <cstddef>

#include "apps/npb/blocks.hpp"

namespace npb {

std::vector<std::vector<std::int32_t>> needed_elements(const csr& rows, std::int64_t n, std::int64_t p,
                                                       std::int64_t me) {
  std::vector<bool> referenced(static_cast<std::size_t>(n), false);
  for (const std::int32_t column : rows.column) referenced[static_cast<std::size_t>(column)] = true;

  std::vector<std::vector<std::int32_t>> needed(static_cast<std::size_t>(p));
  for (std::int64_t owner = 0; owner < p; ++owner) {
    if (owner == me) continue;
    for (std::int64_t k = block_first(n, p, owner); k < block_first(n, p, owner + 1); ++k)
      if (referenced[static_cast<std::size_t>(k)])
        needed[static_cast<std::size_t>(owner)].push_back(static_cast<std::int32_t>(k));
  }
  return needed;
}

std::int64_t remote_references(const csr& rows, std::int64_t n, std::int64_t p, std::int64_t me) {
  const std::int64_t first = block_first(n, p, me);
  const std::int64_t last = block_first(n, p, me + 1);
  std::int64_t remote = 0;
  for (const std::int32_t column : rows.column) remote += column < first || column >= last ? 1 : 0;
  return remote;
}

exchange_totals count_exchange(const csr& whole, std::int64_t p) {
  const std::int64_t n = whole.columns;
  exchange_totals totals;
  totals.block_words = n * (p - 1);
  for (std::int64_t me = 0; me < p; ++me) {
    const csr part = rows_of(whole, block_first(n, p, me), block_first(n, p, me + 1));
    for (const auto& list : needed_elements(part, n, p, me))
      totals.update_words += static_cast<std::int64_t>(list.size());
    totals.remote_reads += remote_references(part, n, p, me);
  }
  return totals;
}

}  // namespace npb
