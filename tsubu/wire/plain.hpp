// Values that travel as the same number of bytes each time, and those that may not travel.
//
// A trivially copyable value travels as its own bytes, and a pair or tuple of such values as those of one behind the
// other.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tsubu::wire {

// Types whose bytes hold an address of this process.
template <class T>
struct is_view : std::is_pointer<T> {};
template <class C, class Traits>
struct is_view<std::basic_string_view<C, Traits>> : std::true_type {};
template <class T, std::size_t N>
struct is_view<std::span<T, N>> : std::true_type {};
template <class T>
struct is_view<std::reference_wrapper<T>> : std::true_type {};
template <class A, class B>
struct is_view<std::pair<A, B>> : std::disjunction<is_view<A>, is_view<B>> {};
template <class... T>
struct is_view<std::tuple<T...>> : std::disjunction<is_view<T>...> {};
template <class T>
struct is_view<std::vector<T>> : is_view<T> {};
template <class T>
struct is_view<std::optional<T>> : is_view<T> {};
template <class T, std::size_t N>
struct is_view<std::array<T, N>> : is_view<T> {};

// Travels as its own bytes.
template <class T>
concept plain = std::is_trivially_copyable_v<T> && !is_view<T>::value && !std::is_member_pointer_v<T>;

// Travels as no bytes at all: there is only one value of it.
template <class T>
concept weightless = plain<T> && std::is_empty_v<T> && std::is_default_constructible_v<T>;

// Travels as the same number of bytes each time: what is plain, and pairs and tuples of it, whose elements are put one
// behind the other. These are not trivially copyable, since C++ lets them be assigned to as references are; but to
// clang one with a constant element is, which cannot be assigned to.
template <class T>
struct fixed_size_of {
  static constexpr bool known = plain<T>;
  static constexpr std::size_t bytes = weightless<T> ? 0 : sizeof(T);
};
template <class... T>
struct fixed_size_of_all {
  static constexpr bool known = (fixed_size_of<T>::known && ...);
  static constexpr std::size_t bytes = (std::size_t{0} + ... + fixed_size_of<T>::bytes);
};
template <class... T>
  requires(!plain<std::tuple<T...>>)
struct fixed_size_of<std::tuple<T...>> : fixed_size_of_all<T...> {};
template <class A, class B>
  requires(!plain<std::pair<A, B>>)
struct fixed_size_of<std::pair<A, B>> : fixed_size_of_all<A, B> {};

template <class T>
concept fixed_size = fixed_size_of<T>::known;
template <class T>
inline constexpr std::size_t fixed_bytes = fixed_size_of<T>::bytes;

// A pair or tuple that is put element by element.
template <class T>
concept put_by_element = fixed_size<T> && !plain<T>;

template <class T, std::size_t... I>
T load_elements(const std::byte* from, std::index_sequence<I...>);

// A byte that came may be neither of the two that a bool can have: whatever is not 0 is true.
template <class T>
T load([[maybe_unused]] const std::byte* from) {
  if constexpr (weightless<T>) {
    return T{};
  } else if constexpr (put_by_element<T>) {
    return load_elements<T>(from, std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (std::is_same_v<T, bool>) {
    return *from != std::byte{0};
  } else {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    return std::bit_cast<T>(bytes);
  }
}

// Where in the bytes of a pair or tuple its element I begins.
template <class T, std::size_t I>
constexpr std::size_t element_offset() {
  return []<std::size_t... J>(std::index_sequence<J...>) {
    return (std::size_t{0} + ... + fixed_bytes<std::tuple_element_t<J, T>>);
  }(std::make_index_sequence<I>());
}

template <class T, std::size_t... I>
T load_elements([[maybe_unused]] const std::byte* from, std::index_sequence<I...>) {
  return T(load<std::remove_const_t<std::tuple_element_t<I, T>>>(from + element_offset<T, I>())...);
}

// A scalar is stored as what it is, wherever it lies: copied bytes might be anybody's, and a loop that sends would have
// to read its own variables again after each of them, where they lie in memory (as in a coroutine's frame).
template <class T>
void store([[maybe_unused]] std::byte* to, [[maybe_unused]] const T& value) {
  if constexpr (weightless<T>) {
    return;
  } else if constexpr (put_by_element<T>) {
    std::apply(
        [&to](const auto&... element) {
          ((store(to, element), to += fixed_bytes<std::remove_cvref_t<decltype(element)>>), ...);
        },
        value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    using anywhere [[gnu::aligned(1)]] = T;
    *reinterpret_cast<anywhere*>(to) = value;
  } else {
    std::memcpy(to, static_cast<const void*>(&value), sizeof(T));
  }
}

}  // namespace tsubu::wire
