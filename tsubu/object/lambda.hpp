// A lambda that is sent to an object: a method that its class need not have.
//
//   long n = co_await c.now([k](counter& it, long factor) { return factor * it.n + k; }, 2L);
//
// Its captures travel with it. It is executed as a method of the object, in order with its messages, and may be a
// coroutine.
#pragma once

#include <type_traits>
#include <utility>

#include "tsubu/object/part.hpp"
#include "tsubu/remote/messages/send_as.hpp"
#include "tsubu/remote/messages/sent_closure.hpp"

namespace tsubu::objects {

template <class T, class L, class... A>
std::invoke_result_t<L&, T&, A...> object_base::tsubu_call(remote::sent_closure<L> sent, A... values) {
  L closure = sent.closure();
  return closure(part_with_method<T, T>(this_space(), *this), std::move(values)...);
}

// The captures are kept in this frame, since the lambda's own only points to them.
template <class T, class L, class... A>
std::invoke_result_t<L&, T&, A...> object_base::tsubu_await(remote::sent_closure<L> sent, A... values) {
  L closure = sent.closure();
  co_return co_await closure(part_with_method<T, T>(this_space(), *this), std::move(values)...);
}

// The method that a message with that lambda and these arguments is for.
template <class T, class L, class... A>
consteval auto method_calling() {
  static_assert(
      remote::travelling_lambda<L>,
      "only a lambda whose captures are trivially copyable can be sent: pass what owns memory as an argument");
  static_assert(std::is_invocable_v<L&, T&, A...>,
                "the lambda cannot be called with the object and these arguments: it takes a T&, and them");
  if constexpr (remote::awaited<std::invoke_result_t<L&, T&, A...>>::is_task) {
    return &object_base::tsubu_await<T, L, A...>;
  } else {
    return &object_base::tsubu_call<T, L, A...>;
  }
}

}  // namespace tsubu::objects
