// What the counts of all PEs come to.
#pragma once

#include <vector>

#include "apps/kmer/count_table.hpp"
#include "apps/kmer/kmer.hpp"
#include "tsubu/task/task.hpp"

namespace kmer {

// How many, and which: two sums that hardly agree by accident, in any order of the k-mers.
struct checksum {
  std::uint64_t total = 0;
  std::uint64_t codes = 0;

  void add(code kmer, std::uint64_t times = 1) {
    total += times;
    codes += times * program::mixed(kmer);
  }
};

// The digest of one k-mer and its count; that of a tally is their sum.
constexpr std::uint64_t digest_of(code kmer, std::uint64_t count) {
  return program::mixed(program::mixed(kmer) + count);
}

struct tally {
  checksum counted;
  std::uint64_t distinct = 0;
  std::uint64_t digest = 0;
  // The most frequent one; of several, the smallest. Count 0: there is none.
  code most_frequent = 0;
  std::uint64_t most = 0;
  // How many k-mers occur 1, 2, 3, ... times; the last: that often or more. No zeros at the end.
  std::vector<std::uint64_t> multiplicities;
};

// Collective; the same on every PE.
tsubu::task<tally> tally_all(const count_table& counts);

}  // namespace kmer
