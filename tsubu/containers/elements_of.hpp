// What this PE has of something that algorithms are given: of a container, as long as what this gives lives, the walk
// of its part; of anything else, a vector or another range, the range itself.
#pragma once

#include <concepts>
#include <ranges>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tsubu::containers {

template <class C>
concept has_here = requires(const C& c) { c.here(); };

// A container is given by its name, not by its here(): a walk that the caller begins would last until all PEs are done,
// and what one that is done earlier then inserts would be refused.
template <class C>
decltype(auto) elements_of(C& of, [[maybe_unused]] std::source_location where) {
  if constexpr (has_here<C>) {
    return of.here(where);
  } else {
    return (of);
  }
}

template <class C>
concept gives_elements = has_here<C> || std::ranges::input_range<C>;

template <gives_elements C>
using element_of = std::ranges::range_value_t<decltype(elements_of(std::declval<C&>(), std::source_location()))>;

// As what it is kept and sent: a text for a view of one.
template <class T>
using kept_as =
    std::conditional_t<std::is_same_v<std::remove_cvref_t<T>, std::string_view>, std::string, std::remove_cvref_t<T>>;

}  // namespace tsubu::containers
