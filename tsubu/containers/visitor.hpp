// What a program gives to visit a value with: a function f(key, value, arguments...), named at compile time, or a
// lambda whose captures are trivially copyable. It gets the key as a const reference and the value as a reference,
// where the value lies.
//
// It does not wait: while it did, the value could move. It may send and visit as it likes; what it sends runs later.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

#include "tsubu/remote/messages/send_as.hpp"
#include "tsubu/remote/messages/signature.hpp"

namespace tsubu::containers {

// A function that is named at compile time, as a value of no bytes.
template <auto F>
struct named {
  template <class... X>
  decltype(auto) operator()(X&&... values) const {
    return F(std::forward<X>(values)...);
  }
};

// The arguments as they travel: as the parameters of a function, behind key and value; as they are given to anything
// else.
template <class F, class... A>
struct arguments_of {
  using type = std::tuple<std::decay_t<A>...>;
};
template <class Plain>
struct parameters_behind_two;
template <class R, class K, class V, class... P>
struct parameters_behind_two<R (*)(K, V, P...)> {
  using type = std::tuple<std::decay_t<P>...>;
};
template <class F, class... A>
  requires std::is_pointer_v<F>
struct arguments_of<F, A...> {
  using type = typename parameters_behind_two<decltype(remote::plain_function(F()))>::type;
};

// What a visitor gives; checked where it is asked for.
template <class L, class K, class V, class... A>
struct visit_of {
  static_assert(std::is_invocable_v<L&, const K&, V&, A...>,
                "a visitor takes a const key, a value by reference, and the arguments: f(const K&, V&, arguments...)");
  using result = std::invoke_result_t<L&, const K&, V&, A...>;
  static_assert(!remote::awaited<result>::is_task,
                "a visitor does not wait, for the value may move meanwhile: it is no coroutine, but it may send");
  static_assert(!std::is_reference_v<result>, "a visitor gives a value: a reference means nothing on another PE");
  // What it gives where the value may not be there.
  using if_present = std::conditional_t<std::is_void_v<result>, bool,
                                        std::optional<std::conditional_t<std::is_void_v<result>, bool, result>>>;
};

}  // namespace tsubu::containers
