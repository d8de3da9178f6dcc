// The copies of a PE, found by the names of their variables.
//
// Open addressing with linear probing. A place holds the address of a copy and, in the 16 bits that addresses leave,
// a part of its name's hash: so a copy of another name is touched once in 65,536 times.
#pragma once

#include <cstdint>
#include <memory>

#include "tsubu/data/copy.hpp"

namespace tsubu::data {

class copy_table {
 public:
  copy_table() { resize(least_bits); }
  copy_table(const copy_table&) = delete;
  copy_table& operator=(const copy_table&) = delete;

  [[gnu::always_inline]] copy* find(key name) const {
    const std::uint64_t h = hash(name);
    for (std::size_t at = h >> shift_;; at = (at + 1) & mask_) {
      const std::uint64_t place = places_[at];
      if (place == 0) return nullptr;
      if (((place ^ h << tag_shift) >> tag_shift) == 0) [[likely]] {
        copy* c = address(place);
        if (c->name == name) [[likely]]
          return c;
      }
    }
  }
  // Not in the table yet.
  void add(copy& c);
  void remove(key name);

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return (mask_ + 1) * sizeof(std::uint64_t); }
  template <class F>
  void for_each(F f) const {
    for (std::size_t at = 0; at <= mask_; ++at) {
      if (places_[at] != 0) f(*address(places_[at]));
    }
  }

 private:
  static constexpr int tag_shift = 48;
  static std::uint64_t place_for(copy& c) { return reinterpret_cast<std::uint64_t>(&c) | hash(c.name) << tag_shift; }
  static std::uint64_t hash(key name) {
    const std::uint64_t h = name.bits() * 0x9e3779b97f4a7c15U;
    return h ^ h >> 32;
  }
  static copy* address(std::uint64_t place) {
    return reinterpret_cast<copy*>(place & ((std::uint64_t{1} << tag_shift) - 1));
  }
  void insert(copy& c);
  void resize(int bits);

  static constexpr int least_bits = 4;
  std::unique_ptr<std::uint64_t[]> places_;  // 0 = free
  int shift_ = 0;                            // from a hash to its first place
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tsubu::data
