// An array of many elements of which few are used: each place takes two bytes, and an element when it is first used.
//
// For what a PE keeps of each link: a simulation of many PEs has that many times over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"

namespace tsubu {

template <class T>
class sparse_array {
 public:
  // `unused` is what every element is before its first use; else a new one.
  explicit sparse_array(std::size_t size) : number_(size), elements_(1) {}
  sparse_array(std::size_t size, T unused) : number_(size), elements_(1, std::move(unused)) {}

  std::size_t size() const { return number_.size(); }

  // To read: makes none.
  const T& operator[](std::size_t at) const { return elements_[number_[at]]; }

  // To change. The reference holds until the next first use of an element. At most 65,535 are used.
  T& use(std::size_t at) {
    if (number_[at] == 0) [[unlikely]]
      make(at);
    return elements_[number_[at]];
  }

 private:
  [[gnu::noinline]] void make(std::size_t at) {
    require(elements_.size() <= std::numeric_limits<std::uint16_t>::max(), "more than {} places of {} are in use",
            elements_.size() - 1, number_.size());
    number_[at] = static_cast<std::uint16_t>(elements_.size());
    if constexpr (std::is_copy_constructible_v<T>) {
      elements_.push_back(T(elements_[0]));
    } else {
      elements_.emplace_back();
    }
  }

  std::vector<std::uint16_t> number_;  // of the element at each place; 0: it is not used yet
  std::vector<T> elements_;            // the first is the one that nobody has used
};

}  // namespace tsubu
