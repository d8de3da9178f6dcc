// How often each number was added: a hash table with linear probing, for one PE.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "apps/program/random_stream.hpp"

namespace kmer {

class count_table {
 public:
  struct entry {
    std::uint64_t key = 0;
    std::uint64_t count = 0;  // 0: the entry is free
  };

  void add(std::uint64_t key, std::uint64_t times = 1) {
    if (4 * used_ >= 3 * entries_.size()) grow();
    entry& e = entries_[find(key)];
    if (e.count == 0) {
      e.key = key;
      ++used_;
    }
    e.count += times;
  }

  std::size_t size() const { return used_; }

  template <class F>
  void for_each(F visit) const {
    for (const entry& e : entries_) {
      if (e.count != 0) visit(e);
    }
  }

 private:
  // Where the key is, or where it would be.
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t i = program::mixed(key) & mask;
    while (entries_[i].count != 0 && entries_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<entry> old(entries_.empty() ? 1024 : 2 * entries_.size());
    old.swap(entries_);
    for (const entry& e : old) {
      if (e.count != 0) entries_[find(e.key)] = e;
    }
  }

  std::vector<entry> entries_;  // a power of two of them, or none
  std::size_t used_ = 0;
};

}  // namespace kmer
