// What all PEs have, brought together by a key of any type: each key's elements as the values of a multimap, or all of
// them as one value of a map.
//
//   auto trips_of = co_await group_by(trips, &trip::city);                  // by every PE: multimap<std::string, trip>
//   auto fares = co_await reduce_by_key(pairs, reduce::plus);               // map<std::string, double>
//
// What is given is a container, a vector or another range of each PE's own, such as rows of a CSV file.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <functional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/containers/elements_of.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu {

namespace containers {

// So many keys meet their like before they are sent, together.
inline constexpr std::size_t most_kept_keys = std::size_t{1} << 14;

// Equal keys of this PE are combined before they are sent, as long as half of them and more meet their like: else to
// look for it would only cost.
template <class K, class V, class Elements, class Op>
task<void> send_reduced(map<K, V> to, Elements& mine, Op op, std::source_location where) {
  tsl::robin_map<K, V, table_hash, std::equal_to<>, std::allocator<std::pair<K, V>>, keeps_hashes<K>> kept;
  std::size_t met = 0;
  bool keeps = true;
  for (auto&& [key, value] : elements_of(mine, where)) {
    if (!keeps) {
      co_await to.past().reduce(K(key), V(value), op);
      continue;
    }
    const auto [at, fresh] = kept.try_emplace(K(key), V(value));
    if (!fresh) {
      at.value() = op(std::move(at.value()), V(value));
      ++met;
    }
    if (kept.size() < most_kept_keys) continue;
    for (const auto& [k, v] : kept) co_await to.past().reduce(k, v, op);
    keeps = met >= kept.size();
    met = 0;
    kept.clear();
  }
  for (const auto& [k, v] : kept) co_await to.past().reduce(k, v, op);
}

template <class C, std::size_t I>
using kept_part_of = kept_as<std::tuple_element_t<I, element_of<C>>>;

template <class C, class Key>
using kept_key_of = kept_as<std::invoke_result_t<Key&, const element_of<C>&>>;

}  // namespace containers

// Elements of two parts, a key and a value: a map of all keys, each with all of its values combined by `op`, an
// operation that commutes. Equal keys of one PE are combined before they are sent, if many are.
// Collective; blocks until every PE has called it and all is there; throws what op and the range throw.
template <containers::gives_elements C, class Op>
  requires reduce::is_op<Op>
task<map<containers::kept_part_of<C, 0>, containers::kept_part_of<C, 1>>> reduce_by_key(
    C mine, Op op, std::source_location where = std::source_location::current()) {
  using made = map<containers::kept_part_of<C, 0>, containers::kept_part_of<C, 1>>;
  const made sums = co_await create_map<containers::kept_part_of<C, 0>, containers::kept_part_of<C, 1>>({}, where);
  const auto body = [&]() { return containers::send_reduced(sums, mine, op, where); };
  co_await epoch(body, where);
  co_await barrier(where);
  co_return sums;
}

// A multimap of all elements, each a value of the key that key_of(element) gives. Those that one PE had of a key are in
// their order.
// Collective; blocks until every PE has called it and all is there; throws what key_of and the range throw.
template <containers::gives_elements C, class Key>
task<multimap<containers::kept_key_of<C, Key>, containers::kept_as<containers::element_of<C>>>> group_by(
    C mine, Key key_of, std::source_location where = std::source_location::current()) {
  using key = containers::kept_key_of<C, Key>;
  using value = containers::kept_as<containers::element_of<C>>;
  const multimap<key, value> groups = co_await create_multimap<key, value>({}, where);
  const auto body = [&]() -> task<void> {
    for (auto&& element : containers::elements_of(mine, where)) {
      co_await groups.past().insert(key(std::invoke(key_of, element)), value(element));
    }
  };
  co_await epoch(body, where);
  co_await barrier(where);
  co_return groups;
}

}  // namespace tsubu
