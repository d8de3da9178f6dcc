#include "apps/graph/transpose.hpp"

#include <utility>

namespace graph {

using namespace tsubu;

namespace {

struct transposition {
  sparse_rows made;
  std::vector<std::uint64_t> next;  // of each row: first its length, then the place of its next entry
};

}  // namespace

static pe_local<transposition> transposing;

void count_entry(vertex local_row) { ++transposing->next[local_row]; }

void place_entry(vertex local_row, vertex column, double value) {
  const std::uint64_t place = transposing->next[local_row]++;
  transposing->made.column[place] = column;
  transposing->made.value[place] = value;
}

task<sparse_rows> transpose(const sparse_rows* of, program::progress* shown) {
  constexpr std::uint64_t burst = 1000;
  const cyclic share = of->share;
  const auto all = static_cast<std::int64_t>(of->nonzeros());
  sparse_rows& made = transposing->made;
  made = sparse_rows{.share = share, .rows = of->columns, .columns = of->rows, .start = {0}, .column = {}, .value = {}};
  transposing->next.assign(share.count(made.rows), 0);
  co_await barrier();

  for (std::uint64_t k = 0; k < of->nonzeros(); ++k) {
    at(share.owner(of->column[k])).past<count_entry>(share.local(of->column[k]));
    if (k % burst == 0) {
      shown->at("counting entry", static_cast<std::int64_t>(k), all);
      co_await room_everywhere();
    }
  }
  co_await quiescence();

  make_room(made, transposing->next);
  co_await barrier();

  for (vertex local = 0; local < of->local_rows(); ++local) {
    const vertex row = share.global(local);
    for (std::uint64_t k = of->start[local]; k < of->start[local + 1]; ++k) {
      const vertex column = of->column[k];
      at(share.owner(column)).past<place_entry>(share.local(column), row, of->value[k]);
      if (k % burst == 0) {
        shown->at("moving entry", static_cast<std::int64_t>(k), all);
        co_await room_everywhere();
      }
    }
  }
  co_await quiescence();
  co_return std::exchange(made, {});
}

}  // namespace graph
