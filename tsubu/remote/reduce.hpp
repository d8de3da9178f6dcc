// How two values become one, for reductions. Any function object with one value for two will do; these
// have names. An operation must be associative; all_reduce also needs it to be commutative.
#pragma once

#include <algorithm>
#include <type_traits>

namespace tsubu::reduce {

struct op_base {};

// An operation, as opposed to an argument: derived from op_base.
template <class T>
concept is_op = std::is_base_of_v<op_base, T>;

struct plus_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct times_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};
struct min_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct max_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};
struct all_op : op_base {
  bool operator()(bool a, bool b) const { return a && b; }
};
struct any_op : op_base {
  bool operator()(bool a, bool b) const { return a || b; }
};

inline constexpr plus_op plus;
inline constexpr times_op times;
inline constexpr min_op min;
inline constexpr max_op max;
inline constexpr all_op all;
inline constexpr any_op any;

}  // namespace tsubu::reduce
