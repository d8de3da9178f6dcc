// What may be done to a variable: each a type that names it, so that it can travel.
//
// An operation has `writes`, whether it may change the value, and run(value, arguments...), which does it.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/remote/messages/sent_closure.hpp"
#include "tsubu/remote/messages/signature.hpp"

namespace tsubu::data {

struct reading {
  static constexpr bool writes = false;
  template <class T>
  static const T& run(const T& value) {
    return value;
  }
};

struct writing {
  static constexpr bool writes = true;
  template <class T>
  static void run(T& value, T&& to) {
    value = std::move(to);
  }
};

// F(value, arguments...).
template <auto F>
struct changing {
  static constexpr bool writes = true;
  template <class T, class... A>
  static decltype(auto) run(T& value, A&&... arguments) {
    return F(value, std::forward<A>(arguments)...);
  }
};

// A lambda, with the value and the arguments.
template <class L>
struct changing_by {
  static constexpr bool writes = true;
  template <class T, class... A>
  static auto run(T& value, remote::sent_closure<L> sent, A&&... arguments) {
    L lambda = sent.closure();
    return lambda(value, std::forward<A>(arguments)...);
  }
};

// Whether the operation is a function of the program's, which may throw what it likes.
template <class Operation>
inline constexpr bool calls_program = false;
template <auto F>
inline constexpr bool calls_program<changing<F>> = true;
template <class L>
inline constexpr bool calls_program<changing_by<L>> = true;

// Op(value, by).
template <auto Op>
struct combining {
  static constexpr auto op = Op;
  static constexpr bool writes = true;
  template <class T>
  static void run(T& value, T&& by) {
    value = Op(std::move(value), std::move(by));
  }
};

// What the operation gives back, as it travels.
template <class T, class Operation, class... A>
using result_of = std::decay_t<decltype(Operation::run(std::declval<T&>(), std::declval<A>()...))>;

// The parameters of a function but the first, as they travel: To<A...>.
template <class F>
struct parameters;
template <class R, class T, class... A>
struct parameters<R (*)(T, A...)> {
  static constexpr bool changes_in_place =
      std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;
  using value = std::decay_t<T>;
  static constexpr std::size_t arity = sizeof...(A);
  template <template <class...> class To, class... Before>
  using apply = To<Before..., std::decay_t<A>...>;
};
template <class F>
using parameters_of = parameters<decltype(remote::plain_function(F()))>;

}  // namespace tsubu::data
