// One value of many, as NumPy has it: integers wrap around; of floating-point numbers that are added the order is that
// of a tree, so that the error grows with its height; the least and the greatest of what has a number that is none
// (NaN) is that.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "python/native/arrays.hpp"
#include "tsubu/remote/collectives/reduce.hpp"

namespace tsubu::python {

// The value of some elements, or of none.
template <class T>
struct partial {
  T value;
  bool any;
};

template <class T>
T added(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using word = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<word>(a) + static_cast<word>(b));
  } else {
    return a + b;
  }
}

template <class T>
bool is_none(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

template <class T>
T sum_of(std::span<const T> values) {
  constexpr std::size_t few = 128;
  if (values.size() > few) {
    const std::size_t half = values.size() / 2;
    return added(sum_of(values.first(half)), sum_of(values.subspan(half)));
  }
  T sum = T();
  for (const T value : values) sum = added(sum, value);
  return sum;
}

// How the parts of two PEs become one.
template <class T>
struct joined : reduce::op_base {
  static constexpr bool commutes = false;  // so sums have the same bits in each run
  explicit joined(reduction by) : how(by) {}
  partial<T> operator()(partial<T> a, partial<T> b) const {
    if (!a.any || !b.any) return a.any ? a : b;
    return {one_of(a.value, b.value), true};
  }
  T one_of(T a, T b) const {
    if (how == reduction::sum) return added(a, b);
    if (is_none(a) || is_none(b)) return is_none(a) ? a : b;
    return (how == reduction::least) == (b < a) ? b : a;
  }
  reduction how;
};

template <class T>
partial<T> partial_of(reduction how, std::span<const T> values) {
  if (values.empty()) return {T(), false};
  if (how == reduction::sum) return {sum_of(values), true};
  const joined<T> op(how);
  T found = values.front();
  for (const T value : values) found = op.one_of(found, value);
  return {found, true};
}

}  // namespace tsubu::python
