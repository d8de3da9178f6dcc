#include "apps/npb/partition.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#ifdef TSUBU_WITH_METIS
#include <metis.h>
#endif

namespace npb {

#ifdef TSUBU_WITH_METIS

namespace {

// The graph of a matrix: its rows, each with the others that its entries name, and with their number as its weight.
struct graph {
  std::vector<idx_t> begin{0}, to, weight;

  explicit graph(const csr& a) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(a.rows()); ++row) {
      for (auto k = a.row_start[row]; k < a.row_start[row + 1]; ++k) {
        const std::int32_t column = a.column[static_cast<std::size_t>(k)];
        if (column != static_cast<std::int32_t>(row)) to.push_back(column);
      }
      begin.push_back(static_cast<idx_t>(to.size()));
      weight.push_back(static_cast<idx_t>(a.row_start[row + 1] - a.row_start[row]));
    }
  }
};

// The part of each row.
std::vector<idx_t> cut(const csr& whole, idx_t parts) {
  std::vector<idx_t> part_of(static_cast<std::size_t>(whole.rows()));
  parts = std::min(parts, static_cast<idx_t>(whole.rows()));
  if (parts <= 1) return part_of;  // METIS divides by parts - 1
  graph rows(whole);
  idx_t count = static_cast<idx_t>(whole.rows()), constraints = 1, volume = 0;
  std::vector<idx_t> how(METIS_NOPTIONS);
  METIS_SetDefaultOptions(how.data());
  how[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
  how[METIS_OPTION_SEED] = 1;
  const int status =
      METIS_PartGraphKway(&count, &constraints, rows.begin.data(), rows.to.data(), rows.weight.data(), nullptr, nullptr,
                          &parts, nullptr, nullptr, how.data(), &volume, part_of.data());
  if (status != METIS_OK) throw std::runtime_error("METIS found no partition of the matrix");
  return part_of;
}

}  // namespace

row_parts partition_rows(const csr& whole, std::int32_t parts) {
  const std::vector<idx_t> part_of = cut(whole, parts);
  row_parts made;
  made.order.resize(part_of.size());
  std::iota(made.order.begin(), made.order.end(), 0);
  const auto part = [&](std::int32_t row) { return part_of[static_cast<std::size_t>(row)]; };
  std::ranges::stable_sort(made.order, {}, part);
  for (idx_t i = 0; i <= parts; ++i) {
    made.first.push_back(std::ranges::lower_bound(made.order, i, {}, part) - made.order.begin());
  }
  return made;
}

#else

row_parts partition_rows(const csr&, std::int32_t) {
  throw std::runtime_error("this program was built without METIS (Debian: libmetis-dev), which cuts a matrix's graph");
}

#endif

}  // namespace npb
