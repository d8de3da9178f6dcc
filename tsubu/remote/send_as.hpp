// What a send checks and converts at compile time: where it goes, what is called there, and its arguments.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/remote/call.hpp"

namespace tsubu::remote {

// A PE by a number of any integral type.
template <std::integral I>
pe_id pe_of(I number) {
  if constexpr (sizeof(I) > sizeof(pe_id) || (sizeof(I) == sizeof(pe_id) && std::is_unsigned_v<I>)) {
    if (static_cast<std::uint64_t>(number) > std::numeric_limits<pe_id>::max()) [[unlikely]]
      no_such_pe(std::to_string(number));
  }
  return static_cast<pe_id>(number);
}

// Sends H with `values` converted to what H's parameters are.
template <class H, class Signature, class... Before, class... A>
void send_as(pe_id to, std::tuple<Before...> before, A&&... arguments) {
  static_assert(sizeof...(A) == Signature::arity, "the number of arguments is not that of the function's parameters");
  using values = typename Signature::template apply<std::tuple>;
  [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
    static_assert(
        (wire::sendable<std::tuple_element_t<I, values>> && ...),
        "a parameter cannot travel: pointers and views do not, nor a type without serialize(); send the value itself");
    static_assert(!(loses_fraction<std::tuple_element_t<I, values>, A> || ...),
                  "an argument is a floating-point number and its parameter an integer: convert it, and say how");
    remote::send<H>(to, std::get<J>(before)..., static_cast<const std::tuple_element_t<I, values>&>(arguments)...);
  }(std::make_index_sequence<Signature::arity>{}, std::index_sequence_for<Before...>{});
}

template <auto F>
constexpr void check_function() {
  static_assert(!std::is_member_function_pointer_v<decltype(F)>,
                "a method is not sent to a PE but to its object: by a ref<T>, or at(global_ptr<T>)");
}

template <class L>
concept travelling_lambda = std::is_class_v<L> && wire::plain<L>;

}  // namespace tsubu::remote
