// The copies of a PE, found by the names of their variables.
//
// Names that follow each other are of variables that were made one after the other, or of neighbours in an array, and
// are used together. So four copies are a page, a line of the cache and what names it; and pages are found by a hash,
// with open addressing and linear probing. Names of one row are spread evenly by it, and hardly ever meet.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "tsubu/base/owned.hpp"
#include "tsubu/data/key.hpp"
#include "tsubu/data/variables/copy.hpp"

namespace tsubu::data {

class copy_table {
 public:
  copy_table() { resize(least_bits); }
  copy_table(const copy_table&) = delete;
  copy_table& operator=(const copy_table&) = delete;
  ~copy_table();

  // Null if there is none; one that is unused may be seen.
  [[gnu::always_inline]] copy* look(key name) const {
    const std::uint64_t row = name.bits() / in_a_page;
    for (std::size_t at = hash(row) >> shift_;; at = (at + 1) & mask_) {
      page* p = places_[at];
      if (p->row == row) [[likely]]
        return &p->copies[name.bits() % in_a_page];
      if (p->row == no_row) return nullptr;
    }
  }
  // Null if there is none.
  copy* find(key name) const {
    copy* c = look(name);
    return c != nullptr && !c->unused() ? c : nullptr;
  }
  // One that is not there yet. It is, as long as it is not unused.
  copy& make(key name);
  // It is unused again.
  void remove(key name);

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return (mask_ + 1) * sizeof(page*) + pages_ * sizeof(page); }
  // f(name, copy).
  template <class F>
  void for_each(F f) const {
    for (std::size_t at = 0; at <= mask_; ++at) {
      page& p = *places_[at];
      for (std::uint64_t i = 0; i < in_a_page; ++i) {
        if (!p.copies[i].unused()) f(key::of_bits(p.row * in_a_page + i), p.copies[i]);
      }
    }
  }

 private:
  static constexpr std::uint64_t in_a_page = 4;
  static constexpr std::uint64_t no_row = ~std::uint64_t{0};
  struct page {
    std::uint64_t row = no_row;  // the names of its copies, but for the last bits
    std::array<copy, in_a_page> copies;
    bool unused() const;
  };

  static std::uint64_t hash(std::uint64_t row) { return row * 0x9e3779b97f4a7c15U; }
  void insert(page& p);
  void take_out(std::size_t hole);
  void resize(int bits);

  static constexpr int least_bits = 4;
  page none_;  // stands at free places
  detail::owned_array<page*> places_;
  int shift_ = 0;  // from a hash to its first place
  std::size_t mask_ = 0;
  std::size_t pages_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tsubu::data
