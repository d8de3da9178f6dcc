// An array of elements that stay where they are, made a page of neighbours at a time when one of them is first used.
//
// For what a PE keeps of each other PE: of a million PEs it has to do with few, or with all of some.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tsubu/base/owned.hpp"

namespace tsubu {

template <class T>
class paged_array {
 public:
  static constexpr std::size_t page_size = 64;  // elements

  explicit paged_array(std::size_t size) : pages_((size + page_size - 1) / page_size) {}

  T& operator[](std::size_t at) {
    detail::owned_array<T>& page = pages_[at / page_size];
    if (page == nullptr) [[unlikely]]
      make(page);
    return page[at % page_size];
  }

  // Calls f(element) for all in pages that have been used.
  template <class F>
  void for_each_made(F f) {
    for (const detail::owned_array<T>& page : pages_) {
      for (std::size_t i = 0; page != nullptr && i < page_size; ++i) f(page[i]);
    }
  }

 private:
  [[gnu::noinline]] static void make(detail::owned_array<T>& page) { page = std::make_unique<T[]>(page_size); }

  std::vector<detail::owned_array<T>> pages_;
};

}  // namespace tsubu
