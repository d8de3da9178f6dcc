// What two containers say of the same keys, which lie on one PE where both name the homes of their keys alike: so a
// join sends nothing.
//
//   inner_join(customers, orders, [&](std::uint64_t id, const customer& c, const order& o) { .. });   // by every PE
//   left_join(customers, orders, [&](std::uint64_t id, const customer& c, const order* o) { .. });    // o: none, null
//   semi_join(customers, orders, [&](std::uint64_t id, const customer& c) { .. });                    // has an order
//
// The first is a map or a multimap, and so is the second; that of a semi-join may be a set, too.
#pragma once

#include <concepts>
#include <ranges>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/containers/named_container.hpp"

namespace tsubu {

namespace containers {

// The type of a container's keys, and what names their homes.
template <class K, class Part, class Partition>
std::pair<K, Partition> keys_of(const named_container<K, Part, Partition>&);
template <class A, class B>
concept co_located =
    std::same_as<decltype(keys_of(std::declval<const A&>())), decltype(keys_of(std::declval<const B&>()))>;

// The values of a key, as a range.
template <class K, class V, class Partition>
auto values_of(const map<K, V, Partition>&, const V& value) {
  return std::views::counted(&value, 1);
}
template <class K, class V, class Partition>
const std::vector<V>& values_of(const multimap<K, V, Partition>&, const std::vector<V>& values) {
  return values;
}

// None, of the type of a pointer to a value.
template <class K, class V, class Partition>
const V* no_value_of(const map<K, V, Partition>&) {
  return nullptr;
}
template <class K, class V, class Partition>
const V* no_value_of(const multimap<K, V, Partition>&) {
  return nullptr;
}

template <class B, class K>
bool has_key_here(const B& container, const K& key) {
  if constexpr (requires { container.find_here(key); }) {
    return container.find_here(key) != nullptr;
  } else {
    return container.contains_here(key);
  }
}

// f(key, what `a` has of it) for each key of `a` that is here, while both are walked.
template <class A, class B, class F>
void for_each_key(const A& a, const B& b, std::source_location where, F f) {
  const auto walked_too = b.here(where);
  for (const auto& [key, of_a] : a.here(where)) {
    require(b.home(key) == a.home(key), "two containers are joined whose keys have different homes: PE {} and PE {}",
            a.home(key), b.home(key));
    f(key, of_a);
  }
}

}  // namespace containers

// f(key, value of a, value of b) for each pair of values of a key that this PE has in both.
// Local; does not block: f may send, and changes neither of the two; throws what f throws; homes that differ end the
// job.
template <class A, class B, class F>
  requires containers::co_located<A, B>
void inner_join(const A& a, const B& b, F f, std::source_location where = std::source_location::current()) {
  containers::for_each_key(a, b, where, [&](const auto& key, const auto& of_a) {
    const auto* const of_b = b.find_here(key);
    if (of_b == nullptr) return;
    for (const auto& x : containers::values_of(a, of_a)) {
      for (const auto& y : containers::values_of(b, *of_b)) f(key, x, y);
    }
  });
}

// The same, with a pointer to the value of b; and f(key, value of a, null) for those of a key that b has not.
// Local; does not block: f may send, and changes neither of the two; throws what f throws; homes that differ end the
// job.
template <class A, class B, class F>
  requires containers::co_located<A, B>
void left_join(const A& a, const B& b, F f, std::source_location where = std::source_location::current()) {
  containers::for_each_key(a, b, where, [&](const auto& key, const auto& of_a) {
    const auto* const of_b = b.find_here(key);
    for (const auto& x : containers::values_of(a, of_a)) {
      if (of_b == nullptr) {
        f(key, x, containers::no_value_of(b));
      } else {
        for (const auto& y : containers::values_of(b, *of_b)) f(key, x, &y);
      }
    }
  });
}

// f(key, value of a) for each value of a key that b has, too.
// Local; does not block: f may send, and changes neither of the two; throws what f throws; homes that differ end the
// job.
template <class A, class B, class F>
  requires containers::co_located<A, B>
void semi_join(const A& a, const B& b, F f, std::source_location where = std::source_location::current()) {
  containers::for_each_key(a, b, where, [&](const auto& key, const auto& of_a) {
    if (!containers::has_key_here(b, key)) return;
    for (const auto& x : containers::values_of(a, of_a)) f(key, x);
  });
}

}  // namespace tsubu
