// How two values become one, for reductions. Any function object with one value for two will do; these
// have names. An operation is associative. Values are combined in the order of their PEs, unless the operation
// commutes:
//
//   struct gcd_op : reduce::op_base {
//     static constexpr bool commutes = true;               // it says so
//     int operator()(int a, int b) const { return std::gcd(a, b); }
//   };
//   co_await all_reduce(x, reduce::commuting([](int a, int b) { return a ^ b; }));  // or its caller does
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tsubu/wire/plain.hpp"

namespace tsubu::detail {
[[noreturn]] void throw_of_none(const std::type_info& operation);
}

namespace tsubu::reduce {

// What is_op asks for.
struct op_base {};

// An operation, as opposed to an argument: derived from op_base.
template <class T>
concept is_op = std::is_base_of_v<op_base, T>;

// a + b; a value by default of no values.
struct plus_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
  template <std::default_initializable T>
  static T of_none() {
    return T{};
  }
};
// a * b; 1 of no values.
struct times_op : op_base {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
  template <std::constructible_from<int> T>
  static T of_none() {
    return T(1);
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
// Whether both hold; of no values it is so.
struct all_op : op_base {
  static constexpr bool commutes = true;
  bool operator()(bool a, bool b) const { return a && b; }
  template <std::same_as<bool> T>
  static T of_none() {
    return true;
  }
};
// Whether one of the two holds; of no values it is not so.
struct any_op : op_base {
  static constexpr bool commutes = true;
  bool operator()(bool a, bool b) const { return a || b; }
  template <std::same_as<bool> T>
  static T of_none() {
    return false;
  }
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

// An operation that commutes, since the program says so. Made by commuting().
template <class Op>
struct commuting_op : op_base {
  static constexpr bool commutes = true;
  constexpr commuting_op() = default;
  constexpr explicit commuting_op(Op of) : op(std::move(of)) {}
  template <class T>
  T operator()(T a, T b) const {
    return op(std::move(a), std::move(b));
  }
  template <class T>
    requires requires { Op::template of_none<T>(); }
  static T of_none() {
    return Op::template of_none<T>();
  }
  [[no_unique_address]] Op op;
};
// `op`, a function, a lambda or a function object of which op(a, b) is op(b, a) for all values it will get.
// Local; does not block; throws nothing.
template <class Op>
constexpr commuting_op<Op> commuting(Op op) {
  return commuting_op<Op>(std::move(op));
}

// Whether op(a, b) is op(b, a) for all values of T. `plus`, `times`, `min` and `max` commute where T is a number: sums
// of text and products of matrices do not, and of values that compare equal the first is taken.
template <class Op, class T>
inline constexpr bool commutes = false;
template <class Op, class T>
  requires requires { requires Op::commutes; }
inline constexpr bool commutes<Op, T> = true;
template <class T>
inline constexpr bool commutes<plus_op, T> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool commutes<times_op, T> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool commutes<min_op, T> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool commutes<max_op, T> = std::is_arithmetic_v<T>;

// What the operation makes of no values: what its of_none<T>() says, if it has one.
// Local; does not block; throws std::invalid_argument, which names the operation, if there is no such value.
template <class T, class Op>
T of_none(const Op&) {
  if constexpr (requires { Op::template of_none<T>(); }) {
    return Op::template of_none<T>();
  } else {
    detail::throw_of_none(typeid(Op));
  }
}

// The values combined in their order; of_none() if there are none.
// Local; does not block; throws as of_none() and op do.
template <class T, class Op>
T all_of(std::vector<T> values, const Op& op) {
  if (values.empty()) return of_none<T>(op);
  T sum = std::move(values[0]);
  for (std::size_t i = 1; i < values.size(); ++i) sum = op(std::move(sum), std::move(values[i]));
  return sum;
}

}  // namespace tsubu::reduce

// A pointer to a function means nothing on another PE.
template <class F>
struct tsubu::wire::is_view<tsubu::reduce::commuting_op<F*>> : std::true_type {};
