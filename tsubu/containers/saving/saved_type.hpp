// The name that a type has in a list of saved parts, by which a load knows whether the bytes are those of its own
// types. It says what the bytes are, and not what a program or a compiler calls the type: numbers by kind and size,
// texts, pairs and vectors of those; of a type of the program's own how many bytes it takes, or that it is serialized.
#pragma once

#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/wire/plain.hpp"

namespace tsubu::containers {

template <class T>
struct saved_type {
  static std::string name() {
    const std::string bits = std::to_string(sizeof(T) * 8);
    if constexpr (std::floating_point<T>) return 'f' + bits;
    if constexpr (std::unsigned_integral<T>) return 'u' + bits;
    if constexpr (std::signed_integral<T>) return 'i' + bits;
    if constexpr (wire::fixed_size<T>) return std::to_string(wire::fixed_bytes<T>) + " bytes";
    return "serialized";
  }
};
template <>
struct saved_type<std::string> {
  static std::string name() { return "text"; }
};
template <class T, class A>
struct saved_type<std::vector<T, A>> {
  static std::string name() { return '[' + saved_type<T>::name() + ']'; }
};
template <class... T>
struct saved_type<std::tuple<T...>> {
  static std::string name() { return ("tuple(" + ... + (saved_type<T>::name() + ',')) + ')'; }
};
template <class A, class B>
struct saved_type<std::pair<A, B>> {
  static std::string name() { return '(' + saved_type<A>::name() + ',' + saved_type<B>::name() + ')'; }
};

}  // namespace tsubu::containers
