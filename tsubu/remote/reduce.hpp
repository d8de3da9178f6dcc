// How two values become one, for reductions. Any function object with one value for two will do; these
// have names. An operation must be associative; all_reduce also needs it to be commutative.
#pragma once

#include <algorithm>
#include <type_traits>

namespace tsubu::reduce {

// What is_op asks for.
struct op_base {};

// An operation, as opposed to an argument: derived from op_base.
template <class T>
concept is_op = std::is_base_of_v<op_base, T>;

// a + b.
struct plus_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
// a * b.
struct times_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};
// The smaller of the two.
struct min_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
// The larger of the two.
struct max_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};
// Whether both hold.
struct all_op : op_base {
  bool operator()(bool a, bool b) const { return a && b; }
};
// Whether one of the two holds.
struct any_op : op_base {
  bool operator()(bool a, bool b) const { return a || b; }
};

// The sum.
inline constexpr plus_op plus;
// The product.
inline constexpr times_op times;
// The smallest.
inline constexpr min_op min;
// The largest.
inline constexpr max_op max;
// Whether all hold.
inline constexpr all_op all;
// Whether any holds.
inline constexpr any_op any;

}  // namespace tsubu::reduce
