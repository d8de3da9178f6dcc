// The hash of a key: the same number on every PE, in every run and on every machine of the same byte order.
//
// Its upper half names the home of the key, and its lower half the place in the table there, so that the keys of one
// PE fill its table evenly.
//
//   integers, enumerations, truth values    mix_bits(value), as in tsubu/base/random.hpp
//   texts                                   hash_of_text(): below
//   pairs, tuples, arrays                   those of their elements, one after the other
//   what else has a std::hash               mix_bits(std::hash), so what is said above holds as far as it does there
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/base/random.hpp"
#include "tsubu/base/types.hpp"

namespace tsubu {

namespace containers {

// A word of 8 bytes is taken at a time; the last 0 to 8 bytes are one more. The length is where it begins.
inline std::uint64_t hash_of_text(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = left, word = 0;
  for (; left > 8; at += 8, left -= 8) {
    std::memcpy(&word, at, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  word = 0;
  if (left >= 4) {
    std::uint32_t first = 0, last = 0;
    std::memcpy(&first, at, 4);
    std::memcpy(&last, at + left - 4, 4);
    word = std::uint64_t{last} << 32 | first;
  } else if (left > 0) {
    const auto byte = [at](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
    word = byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16;
  }
  return tsubu::detail::mix_bits((hash ^ word) * 0x9e3779b97f4a7c15U);
}

template <class K>
std::uint64_t hash_of_key(const K& key);

template <class... E>
std::uint64_t hash_of_elements(const E&... elements) {
  std::uint64_t hash = sizeof...(E);
  ((hash = tsubu::detail::mix_bits(hash + 0x9e3779b97f4a7c15U + hash_of_key(elements))), ...);
  return hash;
}

template <class K>
concept has_elements = requires { std::tuple_size<K>::value; };

template <class K>
std::uint64_t hash_of_key(const K& key) {
  if constexpr (std::is_integral_v<K> || std::is_enum_v<K>) {
    return tsubu::detail::mix_bits(static_cast<std::uint64_t>(key));
  } else if constexpr (std::is_convertible_v<const K&, std::string_view>) {
    return hash_of_text(key);
  } else if constexpr (has_elements<K>) {
    return std::apply([](const auto&... elements) { return hash_of_elements(elements...); }, key);
  } else {
    static_assert(!std::is_pointer_v<K>, "an address is no key: it is another one on another PE");
    static_assert(std::is_pointer_v<K> || requires { std::hash<K>()(key); }, "a key needs a std::hash of its type");
    return tsubu::detail::mix_bits(std::hash<K>()(key));
  }
}

// As the tables of a PE ask for it: they take the lower bits.
struct table_hash {
  using is_transparent = void;
  template <class K>
  std::size_t operator()(const K& key) const {
    return hash_of_key(key);
  }
};

inline pe_id home_of_hash(std::uint64_t hash, pe_id pes) {
  return static_cast<pe_id>((hash >> 32) * static_cast<std::uint64_t>(pes) >> 32);
}

}  // namespace containers

// Which PE has a key, unless a container is told otherwise: about as many keys for each.
// Local; does not block; throws nothing.
struct by_hash {
  // The home of the key in a job of so many PEs.
  template <class K>
  pe_id operator()(const K& key, pe_id pes) const {
    return containers::home_of_hash(containers::hash_of_key(key), pes);
  }
};

}  // namespace tsubu
