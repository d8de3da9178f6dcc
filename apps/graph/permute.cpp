#include "apps/graph/permute.hpp"

#include <utility>

namespace graph {

using namespace tsubu;

namespace {

struct permutation {
  sparse_rows made;
  std::vector<vertex> new_column;   // of the columns that this PE owns
  std::vector<std::uint64_t> next;  // of each new row: first its length, then the place of its next entry
};

}  // namespace

static pe_local<permutation> permuting;

void announce_row(vertex local_row, std::uint64_t length) { permuting->next[local_row] = length; }

void place_permuted(vertex local_row, vertex column, double value) {
  const std::uint64_t place = permuting->next[local_row]++;
  permuting->made.column[place] = column;
  permuting->made.value[place] = value;
}

// On the owner of the entry's old column.
void pass_entry(vertex new_row, vertex local_column, double value) {
  const cyclic& share = permuting->made.share;
  at(share.owner(new_row)).past<place_permuted>(share.local(new_row), permuting->new_column[local_column], value);
}

task<sparse_rows> permute(const sparse_rows* of, random_permutation rows, random_permutation columns,
                          program::progress* shown) {
  constexpr std::uint64_t burst = 1000;
  const cyclic share = of->share;
  const auto all = static_cast<std::int64_t>(of->nonzeros());
  sparse_rows& made = permuting->made;
  made = sparse_rows{.share = share, .rows = of->rows, .columns = of->columns, .start = {0}, .column = {}, .value = {}};
  permuting->new_column.resize(share.count(of->columns));
  for (vertex local = 0; local < share.count(of->columns); ++local)
    permuting->new_column[local] = columns(share.global(local));
  permuting->next.assign(share.count(of->rows), 0);
  std::vector<vertex> new_row(of->local_rows());
  for (vertex local = 0; local < of->local_rows(); ++local) new_row[local] = rows(share.global(local));
  co_await barrier();

  for (vertex local = 0; local < of->local_rows(); ++local) {
    at(share.owner(new_row[local]))
        .past<announce_row>(share.local(new_row[local]), of->start[local + 1] - of->start[local]);
    if (local % burst == 0) co_await room_everywhere();
  }
  co_await quiescence();

  make_room(made, permuting->next);
  co_await barrier();

  for (vertex local = 0; local < of->local_rows(); ++local) {
    for (std::uint64_t k = of->start[local]; k < of->start[local + 1]; ++k) {
      const vertex column = of->column[k];
      at(share.owner(column)).past<pass_entry>(new_row[local], share.local(column), of->value[k]);
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
