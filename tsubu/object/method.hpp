// What a method takes and answers, and what is said of a call that does not fit.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/object/reply_to.hpp"
#include "tsubu/remote/messages/signature.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu {

// Specialise as true for a method that may run while its object waits inside another one, or inside itself:
//   template <> inline constexpr bool tsubu::reentrant<&account::balance> = true;
// It may overtake messages that wait.
template <auto Method>
inline constexpr bool reentrant = false;

// These have no definition: the compiler's error names them, with the method and the argument.
// The method is another class's.
template <class Object, auto Method>
struct object_has_no_method;
// A function, perhaps one of the system (link, read, sync), has that name: a method is named with its class, &T::link.
template <class Object, auto Function>
struct a_function_is_no_method_of;
// So many are wanted, so many given.
template <auto Method, std::size_t Wanted, std::size_t Given>
struct method_takes_another_number_of_arguments;
// The argument does not become what the method takes.
template <auto Method, std::size_t Argument, class Given>
struct method_cannot_take_argument;
// It is a pointer, a view, or a type that nobody has said how to send.
template <auto Method, std::size_t Argument, class Type>
struct argument_of_method_cannot_travel;
// Its type has no default constructor: what comes is read into a value that is made by default.
template <auto Method, std::size_t Argument, class Type>
struct argument_of_method_has_no_default_constructor;
// It is a floating-point number, and the method takes an integer: convert it, and say how.
template <auto Method, std::size_t Argument, class Given>
struct argument_of_method_would_lose_its_fraction;
// A reference would point nowhere on another PE: return a value.
template <auto Method, class Result>
struct method_returns_a_reference;

namespace objects {

// How the answer is made.
enum class reply_kind {
  returned,        // as a value
  awaited,         // by a task
  delegated,       // by a delegated<R>: it answers, or another object does
  explicit_reply,  // by the reply_to<R> that is its first parameter
};

template <class Raw, class... P>
struct method_shape {
  using result = Raw;
  using values = std::tuple<std::decay_t<P>...>;
  static constexpr reply_kind how = reply_kind::returned;
  static constexpr bool is_task = false;
};
template <class R, class... P>
struct method_shape<task<R>, P...> {
  using result = R;
  using values = std::tuple<std::decay_t<P>...>;
  static constexpr reply_kind how = reply_kind::awaited;
  static constexpr bool is_task = true;
};
template <class R, class... P>
struct method_shape<delegated<R>, P...> {
  using result = R;
  using values = std::tuple<std::decay_t<P>...>;
  static constexpr reply_kind how = reply_kind::delegated;
  static constexpr bool is_task = false;
};
template <class R, class... P>
struct method_shape<void, reply_to<R>, P...> {
  using result = R;
  using values = std::tuple<std::decay_t<P>...>;
  static constexpr reply_kind how = reply_kind::explicit_reply;
  static constexpr bool is_task = false;
};
template <class R, class... P>
struct method_shape<task<void>, reply_to<R>, P...> {
  using result = R;
  using values = std::tuple<std::decay_t<P>...>;
  static constexpr reply_kind how = reply_kind::explicit_reply;
  static constexpr bool is_task = true;
};

template <class F>
struct method_of;
template <class R, class T, class... P>
struct method_of<R (T::*)(P...)> : method_shape<R, P...> {
  using owner = T;
};
template <class R, class T, class... P>
struct method_of<R (T::*)(P...) const> : method_shape<R, P...> {
  using owner = T;
};
template <class R, class T, class... P>
struct method_of<R (T::*)(P...) noexcept> : method_shape<R, P...> {
  using owner = T;
};
template <class R, class T, class... P>
struct method_of<R (T::*)(P...) const noexcept> : method_shape<R, P...> {
  using owner = T;
};

template <auto M>
using shape = method_of<decltype(M)>;
template <auto M>
using values_of = typename shape<M>::values;
template <auto M>
using result_of = typename shape<M>::result;

// ---- as it travels

template <class V>
struct travelling {
  using type = V;
  static const V& out(const V& v) { return v; }
  static V&& in(V& v) { return std::move(v); }
};
template <class R>
struct travelling<reply_to<R>> {
  using type = sent_reply<R>;
  static sent_reply<R> out(reply_to<R>& v) { return v.send(); }
  static sent_reply<R> out(reply_to<R>&& v) { return v.send(); }
  static reply_to<R> in(sent_reply<R> s) { return reply_to<R>(s); }
};
template <class V>
using travelling_type = typename travelling<V>::type;

template <class V>
concept may_travel = wire::sendable<travelling_type<V>>;

// ---- checks, one error at a time

template <class T, auto M, std::size_t I, class A>
consteval bool takes_argument() {
  using wanted = std::tuple_element_t<I, values_of<M>>;
  if constexpr (!std::is_constructible_v<wanted, A> || !std::is_convertible_v<A, wanted>) {
    return sizeof(method_cannot_take_argument<M, I + 1, std::remove_cvref_t<A>>) != 0;
  } else if constexpr (remote::loses_fraction<wanted, A>) {
    return sizeof(argument_of_method_would_lose_its_fraction<M, I + 1, std::remove_cvref_t<A>>) != 0;
  } else if constexpr (wire::lacks_default<travelling_type<wanted>>::value) {
    return sizeof(argument_of_method_has_no_default_constructor<M, I + 1, wanted>) != 0;
  } else if constexpr (!may_travel<wanted>) {
    return sizeof(argument_of_method_cannot_travel<M, I + 1, wanted>) != 0;
  } else {
    return true;
  }
}

// A past message that brings along the obligation to reply that its method takes.
template <auto M, class First = void, class... A>
consteval bool gives_duty() {
  if constexpr (std::is_member_function_pointer_v<decltype(M)>) {
    if constexpr (shape<M>::how == reply_kind::explicit_reply) {
      return sizeof...(A) == std::tuple_size_v<values_of<M>> &&
             std::is_same_v<std::remove_cvref_t<First>, reply_to<result_of<M>>>;
    }
  }
  return false;
}

// A ref<T> takes messages for the methods of that class: the runtime's own ones, also if T is an interface.
template <class T, class Owner>
consteval bool has_methods_of() {
  if constexpr (std::is_same_v<Owner, object_base> && std::is_polymorphic_v<T>) return true;
  return std::derived_from<T, Owner>;
}

template <class T, auto M, class... A>
consteval bool fits() {
  if constexpr (!std::is_member_function_pointer_v<decltype(M)>) {
    return sizeof(a_function_is_no_method_of<T, M>) != 0;
  } else if constexpr (!has_methods_of<T, typename shape<M>::owner>()) {
    return sizeof(object_has_no_method<T, M>) != 0;
  } else if constexpr (std::is_reference_v<result_of<M>>) {
    return sizeof(method_returns_a_reference<M, result_of<M>>) != 0;
  } else if constexpr (std::tuple_size_v<values_of<M>> != sizeof...(A)) {
    return sizeof(method_takes_another_number_of_arguments<M, std::tuple_size_v<values_of<M>>, sizeof...(A)>) != 0;
  } else {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (takes_argument<T, M, I, A>() && ...);
    }(std::index_sequence_for<A...>{});
  }
}

}  // namespace objects
}  // namespace tsubu
