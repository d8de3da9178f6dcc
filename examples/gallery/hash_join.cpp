// Joins two tables of key/value rows on equal keys, and prints the number of matches and a checksum of them.
//
// The rows are dealt out to all PEs, and each key has a home. First every row of the left table goes to the home of its
// key, a message each, and is kept in a hash table there; then every row of the right table goes the same way, and
// meets the rows of its key.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>

#include "examples/gallery/problem/hash_join.hpp"

using namespace tsubu;

pe_local<std::unordered_multimap<std::uint64_t, std::uint64_t>> table;  // the left rows whose keys are at home here
pe_local<matches> found;

void build(row r) { table->emplace(r.key, r.value); }

void probe(row r) {
  const auto [first, last] = table->equal_range(r.key);
  for (auto l = first; l != last; ++l) *found = *found + matches{1, l->second * r.value};
}

task<int> program(arguments args) {
  const auto rows = args.number<std::uint64_t>(1, 300'000);

  for (const std::uint64_t i : part_of(rows)) {
    const row l = left(i, rows);
    co_await at(home_of(l.key)).past<build>(l);
  }
  co_await quiescence();  // all tables are complete
  for (const std::uint64_t i : part_of(rows)) {
    const row r = right(i, rows);
    co_await at(home_of(r.key)).past<probe>(r);
  }
  co_await quiescence();

  const matches all = co_await all_reduce(*found, reduce::plus);
  if (this_pe() != 0) co_return 0;
  std::printf("%ju matches of %ju and %ju rows, checksum %016jx\n", std::uintmax_t{all.count}, std::uintmax_t{rows},
              std::uintmax_t{rows}, std::uintmax_t{all.checksum});
  if (all == join_by_sums(rows)) co_return 0;
  std::printf("This is not what the sums by key say.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
