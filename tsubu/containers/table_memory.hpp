// The memory of a PE's table: in large pages, and with a record of where it lies, so that what a message will look at
// can be fetched while messages before it are executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tsubu/base/large_pages.hpp"

namespace tsubu::containers {

// The hash of what is dear to compare stands beside it.
template <class K>
inline constexpr bool keeps_hashes = !std::is_arithmetic_v<K> && !std::is_enum_v<K>;

// The array of places of a table. A table that grows makes the new one, and then gives back the old one.
struct table_array {
  std::byte* begin = nullptr;
  std::size_t bytes_each = 0;
  std::size_t bytes = 0;

  // A key of that hash lies there or a little behind; null while the table is empty. The number of places is a power
  // of two.
  const void* place_of(std::uint64_t hash, std::size_t places) const {
    return places == 0 ? nullptr : begin + (hash & (places - 1)) * bytes_each;
  }
};

template <class T>
struct table_memory {
  using value_type = T;
  explicit table_memory(table_array& array) : array_(&array) {}
  template <class U>
  table_memory(const table_memory<U>& other) : array_(&other.array()) {}

  T* allocate(std::size_t n) {
    T* places = large_pages<T>().allocate(n);
    array_->begin = reinterpret_cast<std::byte*>(places);
    array_->bytes_each = sizeof(T);
    array_->bytes = n * sizeof(T);
    return places;
  }
  void deallocate(T* places, std::size_t n) { large_pages<T>().deallocate(places, n); }
  table_array& array() const { return *array_; }
  template <class U>
  bool operator==(const table_memory<U>& other) const {
    return array_ == &other.array();
  }

 private:
  table_array* array_;
};

}  // namespace tsubu::containers
