// The rows of a sparse matrix that one PE owns; also the outgoing edges of its vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/cyclic.hpp"

namespace graph {

struct entry {
  vertex row;
  vertex column;
  double value;

  friend bool operator==(const entry&, const entry&) = default;
};

// Columns ascend in each row. Local row i has the entries [start[i], start[i + 1]) of `column` and `value`.
struct sparse_rows {
  cyclic share;
  vertex rows = 0;     // of the whole matrix
  vertex columns = 0;  // of the whole matrix
  std::vector<std::uint64_t> start{0};
  std::vector<vertex> column;
  std::vector<double> value;

  vertex local_rows() const { return static_cast<vertex>(start.size() - 1); }
  std::uint64_t nonzeros() const { return start.back(); }  // here

  std::span<const vertex> columns_of(vertex local) const {
    return std::span(column).subspan(start[local], start[local + 1] - start[local]);
  }
  std::span<const double> values_of(vertex local) const {
    return std::span(value).subspan(start[local], start[local + 1] - start[local]);
  }

  friend bool operator==(const sparse_rows&, const sparse_rows&) = default;
};

// What becomes of entries at the same place.
enum class repeats { add, keep_least };

// From entries in any order, all in rows that `share` owns.
sparse_rows assemble(cyclic share, vertex rows, vertex columns, std::vector<entry> entries, repeats at_one_place);

// For entries that arrive one by one: `next` holds the length of each row, and is given the place of its first entry.
void make_room(sparse_rows& made, std::vector<std::uint64_t>& next);

// Columns ascend in each row afterwards.
void sort_rows(sparse_rows& made);

// A number that says which entries there are, whatever their order; digests of disjoint sets add up.
std::uint64_t entry_digest(const entry& of);
std::uint64_t digest(const sparse_rows& of);

}  // namespace graph
