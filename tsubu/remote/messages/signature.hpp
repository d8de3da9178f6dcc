// What a function, coroutine or method that is called on another PE takes and gives, as it travels.
//
// Parameters travel by value whatever they are declared as, and a coroutine answers with what its task returns. The
// qualifiers of a method (const, noexcept) say nothing about that, so they are taken off in one place.
#pragma once

#include <cstddef>
#include <type_traits>

#include "tsubu/task/task.hpp"

namespace tsubu::remote {

template <class T>
struct awaited {
  using type = T;
  static constexpr bool is_task = false;
};
template <class T>
struct awaited<task<T>> {
  using type = T;
  static constexpr bool is_task = true;
};

// Parameters by value, as they travel.
template <class R, class... P>
struct signature {
  using raw_result = R;
  using result = typename awaited<R>::type;
  static constexpr bool is_task = awaited<R>::is_task;
  static constexpr std::size_t arity = sizeof...(P);
  static_assert(!std::is_reference_v<result>, "a function called on another PE returns a value, not a reference");
  template <template <class...> class To, class... Before>
  using apply = To<Before..., std::decay_t<P>...>;
};

// The type of a function or method without its qualifiers: R(P...). Never called.
template <class R, class... P, bool N>
auto plain_function(R (*)(P...) noexcept(N)) -> R (*)(P...);
template <class R, class T, class... P, bool N>
auto plain_function(R (T::*)(P...) noexcept(N)) -> R (*)(P...);
template <class R, class T, class... P, bool N>
auto plain_function(R (T::*)(P...) const noexcept(N)) -> R (*)(P...);

template <class Plain>
struct signature_of_plain;
template <class R, class... P>
struct signature_of_plain<R (*)(P...)> : signature<R, P...> {};

// An argument of that type, where the parameter is a P.
template <class P, class Given>
inline constexpr bool loses_fraction = std::is_integral_v<P> && std::is_floating_point_v<std::remove_cvref_t<Given>>;

// F: the type of a pointer to a function or method.
template <class F>
using signature_of = signature_of_plain<decltype(plain_function(F()))>;

}  // namespace tsubu::remote
