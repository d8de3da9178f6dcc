// What a send checks and converts at compile time: where it goes, what is called there, and its arguments.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/remote/messages/call.hpp"

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

// What A... are checked for as arguments of parameters P.... A class, since compilers tell of an assertion in one at
// once and with the line that asked for it; of one in a function, clang tells at the end, without.
template <class Parameters, class... A>
struct fitting_arguments;
template <class... P, class... A>
struct fitting_arguments<std::tuple<P...>, A...> {
  static constexpr bool loses() {
    if constexpr (sizeof...(P) == sizeof...(A)) {
      return (loses_fraction<P, A> || ...);
    } else {
      return false;
    }
  }
  static_assert(sizeof...(P) == sizeof...(A), "the number of arguments is not that of the function's parameters");
  static_assert(!(wire::lacks_default<P>::value || ...),
                "a parameter's type has no default constructor: what comes is read into a value made by default");
  static_assert(!(wire::lacks_header<P> || ...),
                "a parameter needs one more header: <cereal/types/memory.hpp> for smart pointers, list.hpp, queue.hpp");
  static_assert(
      ((wire::sendable<P> || wire::lacks_default<P>::value || wire::lacks_header<P>) && ...),
      "a parameter cannot travel: pointers and views do not, nor a type without serialize(); send the value itself");
  static_assert(!loses(),
                "an argument is a floating-point number and its parameter an integer: convert it, and say how");
};

// What a list in braces stands for where a parameter is meant: the compiler knows no type of it, and would only say
// that nothing fits.
template <class E, class Result>
struct list_in_braces {
  static_assert(!sizeof(E), "a list in braces has no type: write that of the parameter, f(std::vector<int>{1, 2, 3})");
  using type = Result;
};

// The signature of a method of type M that is called with A....
template <class M, class... A>
struct method_call : signature_of<M>, fitting_arguments<typename signature_of<M>::template apply<std::tuple>, A...> {};

// The signature of a function of type F that is sent to a PE with A....
template <class F, class... A>
struct function_call : method_call<F, A...> {
  static_assert(!std::is_member_function_pointer_v<F>,
                "a method is not sent to a PE but to its object: by a ref<T>, or at(global_ptr<T>)");
};

// Sends H with `before` and the arguments, converted to what H's parameters are. The caller has checked them.
template <class H, class Signature, class... Before, class... A>
void send_as(pe_id to, std::tuple<Before...> before, A&&... arguments) {
  using values = typename Signature::template apply<std::tuple>;
  [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
    remote::send<H>(to, std::get<J>(before)..., static_cast<const std::tuple_element_t<I, values>&>(arguments)...);
  }(std::make_index_sequence<Signature::arity>{}, std::index_sequence_for<Before...>{});
}

template <class L>
concept travelling_lambda = std::is_class_v<L> && wire::plain<L>;

}  // namespace tsubu::remote
