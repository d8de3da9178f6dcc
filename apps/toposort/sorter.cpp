#include "apps/toposort/sorter.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace toposort {

using namespace tsubu;
using graph::cyclic;
using graph::sparse_rows;
using graph::vertex;

namespace {

constexpr std::uint64_t burst = 1000;
constexpr vertex nobody = ~vertex{0};

struct row_state {
  std::uint64_t columns_left = 0;  // their sum
  vertex left = 0;
  vertex level = 0;
};

struct pivot {
  vertex row = nobody;
  vertex level = 0;
};

struct sorting {
  const sparse_rows* columns = nullptr;
  std::vector<row_state> rows;
  std::vector<pivot> pivots;  // of this PE's columns
  std::vector<vertex> new_row;
  std::int64_t messages = 0;
};

struct inspection {
  std::vector<vertex> new_column;
  std::vector<vertex> rows_at, columns_at;  // how many were put at each place of this PE
  std::int64_t below = 0;
  std::int64_t diagonal = 0;
};

}  // namespace

static pe_local<sorting> state;
static pe_local<inspection> seen;

task<void> take_pivot(vertex local_column, vertex row, vertex level);

void announce_pivot(vertex local_row, vertex column) {
  const cyclic& share = state->columns->share;
  ++state->messages;
  at(share.owner(column)).past<take_pivot>(share.local(column), share.global(local_row), state->rows[local_row].level);
}

void take_out(vertex local_row, vertex column, vertex level) {
  row_state& row = state->rows[local_row];
  row.columns_left -= column;
  row.level = std::max(row.level, level + 1);
  if (--row.left == 1) announce_pivot(local_row, static_cast<vertex>(row.columns_left));
}

// A coroutine, since a column may be long: it is held back while the network is full.
task<void> take_pivot(vertex local_column, vertex row, vertex level) {
  pivot& found = state->pivots[local_column];
  if (found.row != nobody) co_return;  // two rows have this entry only: the other one stays without a place
  found = {row, level};
  const sparse_rows& columns = *state->columns;
  const vertex column = columns.share.global(local_column);
  for (const vertex other : columns.columns_of(local_column)) {
    if (other == row) continue;
    ++state->messages;
    co_await at(columns.share.owner(other)).past<take_out>(columns.share.local(other), column, level);
  }
}

void place_row(vertex local_row, vertex place) { state->new_row[local_row] = place; }

namespace {

// The places of this PE's columns: those of level 0 at the end, and in each level first those of the first PEs.
task<std::vector<vertex>> places(vertex rows, std::int64_t levels) {
  std::vector<std::int64_t> here(static_cast<std::size_t>(levels));
  for (const pivot& p : state->pivots) ++here[p.level];
  const std::vector<std::int64_t> everywhere_counts = co_await all_reduce(here, reduce::plus);
  const std::vector<std::int64_t> up_to_here = co_await scan(here, reduce::plus);
  std::vector<std::int64_t> next(here.size());
  std::int64_t end = rows;
  for (std::size_t level = 0; level < next.size(); ++level) {
    end -= everywhere_counts[level];
    next[level] = end + up_to_here[level] - here[level];
  }
  std::vector<vertex> found;
  found.reserve(state->pivots.size());
  for (const pivot& p : state->pivots) found.push_back(static_cast<vertex>(next[p.level]++));
  co_return found;
}

}  // namespace

task<order> sort(const sparse_rows* matrix, const sparse_rows* columns) {
  const cyclic share = matrix->share;
  state->columns = columns;
  state->rows.assign(matrix->local_rows(), {});
  state->pivots.assign(columns->local_rows(), {});
  state->new_row.assign(matrix->local_rows(), nobody);
  for (vertex local = 0; local < matrix->local_rows(); ++local) {
    const auto entries = matrix->columns_of(local);
    state->rows[local] = {.columns_left = std::accumulate(entries.begin(), entries.end(), std::uint64_t{0}),
                          .left = static_cast<vertex>(entries.size())};
  }
  co_await barrier();

  for (vertex local = 0; local < matrix->local_rows(); ++local) {
    // Not what is left by now: a row that others have brought down to one entry has told so itself.
    const auto entries = matrix->columns_of(local);
    if (entries.size() == 1) announce_pivot(local, entries.front());
    if (local % burst == 0) co_await room_everywhere();
  }
  co_await quiescence();

  order found;
  std::int64_t placed = 0, levels = 0;
  for (const pivot& p : state->pivots) {
    if (p.row == nobody) continue;
    ++placed;
    levels = std::max<std::int64_t>(levels, std::int64_t{p.level} + 1);
  }
  found.placed = co_await all_reduce(placed, reduce::plus);
  found.levels = co_await all_reduce(levels, reduce::max);
  if (found.placed == matrix->rows) {
    found.new_column = co_await places(matrix->rows, found.levels);
    for (vertex local = 0; local < columns->local_rows(); ++local) {
      const vertex row = state->pivots[local].row;
      ++state->messages;
      at(share.owner(row)).past<place_row>(share.local(row), found.new_column[local]);
      if (local % burst == 0) co_await room_everywhere();
    }
    co_await quiescence();
    found.new_row = std::exchange(state->new_row, {});
  }
  found.messages = co_await all_reduce(state->messages, reduce::plus);
  co_return found;
}

// ---- the verification

void see_row_at(vertex local_place) { ++seen->rows_at[local_place]; }
void see_column_at(vertex local_place) { ++seen->columns_at[local_place]; }

void see_entry(vertex row_place, vertex local_column) {
  const vertex column_place = seen->new_column[local_column];
  seen->below += column_place < row_place ? 1 : 0;
  seen->diagonal += column_place == row_place ? 1 : 0;
}

task<verdict> inspect(const sparse_rows* matrix, const order* of) {
  const cyclic share = matrix->share;
  *seen = {};
  seen->new_column = of->new_column;
  seen->rows_at.resize(share.count(matrix->rows));
  seen->columns_at.resize(share.count(matrix->rows));
  co_await barrier();

  for (vertex local = 0; local < matrix->local_rows(); ++local) {
    const vertex row_place = of->new_row[local];
    const vertex column_place = of->new_column[local];
    at(share.owner(row_place)).past<see_row_at>(share.local(row_place));
    at(share.owner(column_place)).past<see_column_at>(share.local(column_place));
    for (const vertex column : matrix->columns_of(local))
      co_await at(share.owner(column)).past<see_entry>(row_place, share.local(column));
  }
  co_await quiescence();

  const auto once = [](vertex count) { return count == 1; };
  const bool here = std::all_of(seen->rows_at.begin(), seen->rows_at.end(), once) &&
                    std::all_of(seen->columns_at.begin(), seen->columns_at.end(), once);
  verdict result;
  result.permutations = co_await all_reduce(here, reduce::all);
  result.below = co_await all_reduce(seen->below, reduce::plus);
  result.diagonal = co_await all_reduce(seen->diagonal, reduce::plus);
  co_return result;
}

}  // namespace toposort
