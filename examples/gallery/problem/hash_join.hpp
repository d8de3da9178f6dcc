// Two tables whose rows are made from their index, and what their join comes to, found without a hash table.
#pragma once

#include <cstdint>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

struct row {
  std::uint64_t key, value;
};

struct matches {
  std::uint64_t count = 0, checksum = 0;
  matches operator+(const matches& more) const { return {count + more.count, checksum + more.checksum}; }
  bool operator==(const matches&) const = default;
};

inline row left(std::uint64_t i, std::uint64_t rows) { return {splitmix64(4 * i) % rows, splitmix64(4 * i + 1)}; }
inline row right(std::uint64_t i, std::uint64_t rows) { return {splitmix64(4 * i + 2) % rows, splitmix64(4 * i + 3)}; }

// Without a hash table: the products of all pairs of one key add up to the product of the sums.
inline matches join_by_sums(std::uint64_t rows) {
  std::vector<matches> lefts(rows), rights(rows);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const row l = left(i, rows), r = right(i, rows);
    lefts[l.key] = lefts[l.key] + matches{1, l.value};
    rights[r.key] = rights[r.key] + matches{1, r.value};
  }
  matches all;
  for (std::uint64_t k = 0; k < rows; ++k)
    all = all + matches{lefts[k].count * rights[k].count, lefts[k].checksum * rights[k].checksum};
  return all;
}
