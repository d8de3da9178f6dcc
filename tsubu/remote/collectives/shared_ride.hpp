// Values of a collective that ride in one message with those of other members, while they are short.
//
// Values of one size are short or not for all. Others each PE judges by itself: what is too long goes straight to where
// it is wanted, and in its place rides word of that.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/wire/value.hpp"

namespace tsubu::remote {

// From so many bytes on, a batch of its own costs less than to be carried by others.
inline constexpr std::size_t rides_to_bytes = 2048;

// The bytes of a value, and whether they can be told without writing them.
template <class T>
struct riding_bytes {
  static constexpr bool known = wire::fixed_size<T>;
  static std::size_t of(const T&) { return wire::fixed_bytes<T>; }
};
template <>
struct riding_bytes<std::string> {
  static constexpr bool known = true;
  static std::size_t of(const std::string& text) { return text.size(); }
};
template <class T>
struct riding_bytes<std::vector<T>> {
  static constexpr bool known = riding_bytes<T>::known;
  static std::size_t of(const std::vector<T>& all) {
    if constexpr (wire::fixed_size<T>) {
      return all.size() * wire::fixed_bytes<T>;
    } else {
      std::size_t sum = 0;
      for (const T& one : all) sum += riding_bytes<T>::of(one);
      return sum;
    }
  }
};

// A value that may go straight instead.
template <class T>
struct rider {
  T value{};
  bool goes_straight = false;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(value, goes_straight);
  }
};
template <class T>
struct riding_bytes<rider<T>> {
  static constexpr bool known = riding_bytes<T>::known;
  static std::size_t of(const rider<T>& one) { return riding_bytes<T>::of(one.value); }
};

// Whether values of a type can ride.
template <class T>
inline constexpr bool may_ride = [] {
  if constexpr (!std::is_default_constructible_v<T>) {
    return false;
  } else if constexpr (wire::fixed_size<T>) {
    return sizeof(T) <= rides_to_bytes;
  } else {
    return riding_bytes<T>::known;
  }
}();

// As what it rides.
template <class T>
using riding = std::conditional_t<wire::fixed_size<T>, T, rider<T>>;

}  // namespace tsubu::remote
