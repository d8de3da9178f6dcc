// Which values are needed where: liveness, by blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "abcl/code/code.hpp"

namespace abcl::registers {

// A set of values. It takes memory from its least value to its greatest: most values of a large text are made and used
// in one of its many blocks, and numbered in the order in which they are made.
class value_set {
 public:
  bool has(code::value v) const { return (word_at(index(v)) & bit(v)) != 0; }
  void add(code::value v) {
    cover(index(v), index(v) + 1);
    words_[index(v) - first_] |= bit(v);
  }
  void remove(code::value v) {
    if (has(v)) words_[index(v) - first_] &= ~bit(v);
  }
  // Returns whether it has grown.
  bool add(const value_set& other) {
    if (other.words_.empty()) return false;
    cover(other.first_, other.end());
    bool grown = false;
    for (std::size_t i = other.first_; i < other.end(); ++i) {
      std::uint64_t& word = words_[i - first_];
      grown |= (other.word_at(i) & ~word) != 0;
      word |= other.word_at(i);
    }
    return grown;
  }
  void keep_only(const value_set& other) {
    for (std::size_t i = first_; i < end(); ++i) words_[i - first_] &= other.word_at(i);
  }
  void clear() { words_.clear(); }
  void for_each(const auto& f) const {
    for (std::size_t i = first_; i < end(); ++i) {
      for (std::uint64_t rest = word_at(i); rest != 0; rest &= rest - 1)
        f(static_cast<code::value>(i * 64 + static_cast<std::size_t>(__builtin_ctzll(rest))));
    }
  }
  bool operator==(const value_set& other) const {
    for (std::size_t i = std::min(first_, other.first_); i < std::max(end(), other.end()); ++i) {
      if (word_at(i) != other.word_at(i)) return false;
    }
    return true;
  }

 private:
  static std::size_t index(code::value v) { return static_cast<std::size_t>(v) / 64; }
  static std::uint64_t bit(code::value v) { return std::uint64_t{1} << (v & 63); }
  std::size_t end() const { return first_ + words_.size(); }
  std::uint64_t word_at(std::size_t i) const { return i >= first_ && i < end() ? words_[i - first_] : 0; }
  void cover(std::size_t begin, std::size_t behind) {
    if (words_.empty()) first_ = begin;
    if (begin < first_) words_.insert(words_.begin(), std::exchange(first_, begin) - begin, 0);
    if (behind > end()) words_.resize(behind - first_);
  }

  std::size_t first_ = 0;  // word that there is
  std::vector<std::uint64_t> words_;
};

// One more than the largest value of `t`.
int values_of(const code::text& t);

struct liveness {
  std::vector<value_set> in, out;  // of each block
};
// `over_waits`: also what is needed behind a wait counts.
liveness live_values(const code::text& t, bool over_waits);

// Removes blocks that nothing leads to, and instructions behind the end of a block. Blocks keep their numbers.
void remove_unreachable(code::text& t);

}  // namespace abcl::registers
