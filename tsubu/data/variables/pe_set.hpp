// A set of PEs in one word: the bits themselves while all are below 63, else a list in memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::data {

class pe_set {
 public:
  pe_set() = default;
  pe_set(pe_set&& other) noexcept : word_(std::exchange(other.word_, in_line)) {}
  pe_set& operator=(pe_set&& other) noexcept {
    std::swap(word_, other.word_);
    return *this;
  }
  ~pe_set() { clear(); }

  bool empty() const { return word_ == in_line; }
  std::uint32_t size() const {
    return is_in_line() ? static_cast<std::uint32_t>(std::popcount(word_)) - 1
                        : static_cast<std::uint32_t>(list().size());
  }
  bool contains(pe_id pe) const {
    if (is_in_line()) return static_cast<std::uint32_t>(pe) < most_in_line && (word_ & bit(pe)) != 0;
    return std::binary_search(list().begin(), list().end(), pe);
  }

  void insert(pe_id pe) {
    if (is_in_line() && static_cast<std::uint32_t>(pe) < most_in_line) {
      word_ |= bit(pe);
    } else {
      insert_in_list(pe);
    }
  }
  // True if it was in.
  bool erase(pe_id pe) {
    if (!contains(pe)) return false;
    if (is_in_line()) {
      word_ &= ~bit(pe);
    } else {
      erase_from_list(pe);
    }
    return true;
  }
  void clear() {
    if (!is_in_line()) delete &list();
    word_ = in_line;
  }

  // f(pe) for each, in the order of their numbers. f leaves the set alone.
  template <class F>
  void for_each(F f) const {
    if (is_in_line()) {
      for (std::uint64_t rest = word_ >> 1; rest != 0; rest &= rest - 1) f(static_cast<pe_id>(std::countr_zero(rest)));
    } else {
      for (const pe_id pe : list()) f(pe);
    }
  }

 private:
  static constexpr std::uint64_t in_line = 1;  // in the lowest bit, which an address has not
  static constexpr std::uint32_t most_in_line = 63;
  static std::uint64_t bit(pe_id pe) { return std::uint64_t{2} << pe; }

  bool is_in_line() const { return (word_ & in_line) != 0; }
  std::vector<pe_id>& list() const { return *reinterpret_cast<std::vector<pe_id>*>(word_); }
  // Makes it a list first if it is none.
  void insert_in_list(pe_id pe);
  void erase_from_list(pe_id pe);

  std::uint64_t word_ = in_line;
};

}  // namespace tsubu::data
