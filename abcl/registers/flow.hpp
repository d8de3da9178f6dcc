// Which values are needed where: liveness, by blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "abcl/code/code.hpp"

namespace abcl::registers {

// A set of values.
class value_set {
 public:
  explicit value_set(int size = 0) : words_(static_cast<std::size_t>((size + 63) / 64)) {}
  bool has(code::value v) const { return (words_[index(v)] >> (v & 63) & 1) != 0; }
  void add(code::value v) { words_[index(v)] |= std::uint64_t{1} << (v & 63); }
  void remove(code::value v) { words_[index(v)] &= ~(std::uint64_t{1} << (v & 63)); }
  // Returns whether it has grown.
  bool add(const value_set& other) {
    bool grown = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t now = words_[i] | other.words_[i];
      grown |= now != words_[i];
      words_[i] = now;
    }
    return grown;
  }
  void keep_only(const value_set& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void clear() { words_.assign(words_.size(), 0); }
  void fill() { words_.assign(words_.size(), ~std::uint64_t{0}); }
  void for_each(const auto& f) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        f(static_cast<code::value>(i * 64 + static_cast<std::size_t>(__builtin_ctzll(rest))));
    }
  }
  bool operator==(const value_set&) const = default;

 private:
  static std::size_t index(code::value v) { return static_cast<std::size_t>(v) / 64; }
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
