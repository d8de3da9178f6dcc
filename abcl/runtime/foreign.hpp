// Functions and classes of C++ in an ABCL/ST program: (foreign "header.hpp" ...).
//
// A function is called by one of the same types that the compiler writes; so an error of the C++ compiler is at the
// line of the declaration. A class becomes the base of one that takes messages, be it one of concurrent objects or any
// other: an object is executed by one method at a time, and a method may be a task, and wait. What is thrown ends the
// job with the place: of the call, or of the declaration of the class.
#pragma once

#include <concepts>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "abcl/runtime/object.hpp"
#include "abcl/runtime/site.hpp"
#include "abcl/runtime/values.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/task/awaitable.hpp"
#include "tsubu/task/task.hpp"

namespace abcl {

// Whether what C++ gives may be taken for an R: numbers keep their kind, and other types convert.
template <class R, class V>
concept gives =
    std::same_as<R, none> || (std::same_as<R, integer> && std::integral<V> && !std::same_as<V, bool>) ||
    (std::same_as<R, double> && (std::floating_point<V> || std::integral<V>) && !std::same_as<V, bool>) ||
    (std::same_as<R, bool> && std::same_as<V, bool>) ||
    (!std::same_as<R, integer> && !std::same_as<R, double> && !std::same_as<R, bool> && std::convertible_to<V, R>);

template <class R, class V>
constexpr bool right_result() {
  constexpr bool right = gives<R, std::remove_cvref_t<V>>;
  static_assert(right, "the declaration in ABCL/ST says another type than the function or method of C++ has");
  return right;
}

// In a handler.
[[noreturn]] inline void thrown_by_cpp(const site& at, const char* what) {
  if (ending.load(std::memory_order_relaxed)) throw program_ends();
  fail(at, std::string("C++ has thrown: ") + what);
}

// What `call` returns, as ABCL/ST has it.
template <class R, class F>
R value_of_cpp(const site& at, F&& call) {
  try {
    if constexpr (std::same_as<R, none>) {
      static_cast<void>(call());
      return none();
    } else if constexpr (right_result<R, decltype(call())>()) {
      return static_cast<R>(call());
    }
  } catch (const std::exception& e) {
    thrown_by_cpp(at, e.what());
  }
}

// The same of a method, which may be a task. R: what is replied; void for [].
template <class R, class F>
tsubu::task<R> answer_of_cpp(const site& at, F call) {
  using result = decltype(call());
  try {
    if constexpr (tsubu::awaitable<result>) {
      if constexpr (std::is_void_v<R>) {
        static_cast<void>(co_await call());
        co_return;
      } else if constexpr (right_result<R, tsubu::awaited_value<result>>()) {
        co_return static_cast<R>(co_await call());
      }
    } else {
      if constexpr (std::is_void_v<R>) {
        static_cast<void>(call());
        co_return;
      } else if constexpr (right_result<R, result>()) {
        co_return static_cast<R>(call());
      }
    }
  } catch (const std::exception& e) {
    thrown_by_cpp(at, e.what());
  }
}

// The base of class C, which takes the messages: a Base, and a concurrent object if it is none itself.
template <class C, class Base>
class with_base : public object<C>, public Base {
 public:
  template <class... A>
  explicit with_base(A&&... arguments) : Base(std::forward<A>(arguments)...) {}

 protected:
  ~with_base() = default;
};
template <class C, class Base>
using cpp_object = std::conditional_t<std::derived_from<Base, tsubu::objects::object_base>, Base, with_base<C, Base>>;

}  // namespace abcl
