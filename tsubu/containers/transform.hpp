// A new container of what a function makes of each element of another one, which lies where that one lies: no message
// is sent but for the barriers.
//
//   auto lengths = co_await transform(names, [](const id& key, const std::string& name) { return name.size(); });
//   inner_join(names, lengths, ..);          // a map: equal keys of both are on one PE
#pragma once

#include <cstdint>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/containers/bag.hpp"
#include "tsubu/containers/counting_set.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/containers/set.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

template <class F, class... A>
using made_by = std::decay_t<std::invoke_result_t<F&, const A&...>>;

// Collective: all make their parts, and then fill(part, element) is called for each element of `of`. What any PE has
// awaited before is seen.
template <class Part, class Container, class Fill>
task<number> make_filled_parts(Container of, Fill fill, std::source_location where) {
  const number made = co_await make_parts<Part>(where);
  Part& part = part_here<Part>(made);
  for (const auto& element : of.here(where)) fill(part, element);
  co_await barrier(where);
  co_return made;
}

// For a container whose elements are pairs of a key and a value.
template <class K, class W, class Container, class Partition, class F>
task<map<K, W, Partition>> transform_pairs(Container of, Partition partition, F f, std::source_location where) {
  const auto fill = [&f](map_part<K, W>& part, const auto& pair) {
    part.find_or_make(K(pair.first), f(pair.first, pair.second));
  };
  const number made = co_await make_filled_parts<map_part<K, W>>(of, fill, where);
  co_return map<K, W, Partition>(made, partition);
}

}  // namespace containers

// A map of the same keys, with what f(key, value) gives.
// Collective; blocks until every PE has called it and filled its part; throws what f throws.
template <class K, class V, class Partition, class F>
task<map<K, containers::made_by<F, K, V>, Partition>> transform(
    map<K, V, Partition> of, F f, std::source_location where = std::source_location::current()) {
  return containers::transform_pairs<K, containers::made_by<F, K, V>>(of, of.partition(), std::move(f), where);
}
// A map of the same keys, with what f(key, count) gives.
// Collective; blocks until every PE has called it and filled its part; throws what f throws.
template <class K, class Partition, class F>
task<map<K, containers::made_by<F, K, std::int64_t>, Partition>> transform(
    counting_set<K, Partition> of, F f, std::source_location where = std::source_location::current()) {
  return containers::transform_pairs<K, containers::made_by<F, K, std::int64_t>>(of, of.partition(), std::move(f),
                                                                                 where);
}
// A map of the set's keys, with what f(key) gives.
// Collective; blocks until every PE has called it and filled its part; throws what f throws.
template <class K, class Partition, class F>
task<map<K, containers::made_by<F, K>, Partition>> transform(
    set<K, Partition> of, F f, std::source_location where = std::source_location::current()) {
  using made_part = containers::map_part<K, containers::made_by<F, K>>;
  const auto fill = [&f](made_part& part, const K& key) { part.find_or_make(K(key), f(key)); };
  const containers::number made = co_await containers::make_filled_parts<made_part>(of, fill, where);
  co_return map<K, containers::made_by<F, K>, Partition>(made, of.partition());
}
// A multimap of the same keys, with what f(key, value) gives for each value, in the same order.
// Collective; blocks until every PE has called it and filled its part; throws what f throws.
template <class K, class V, class Partition, class F>
task<multimap<K, containers::made_by<F, K, V>, Partition>> transform(
    multimap<K, V, Partition> of, F f, std::source_location where = std::source_location::current()) {
  using made_part = containers::multimap_part<K, containers::made_by<F, K, V>>;
  const auto fill = [&f](made_part& part, const std::pair<K, std::vector<V>>& list) {
    for (const V& value : list.second) part.insert(K(list.first), f(list.first, value));
  };
  const containers::number made = co_await containers::make_filled_parts<made_part>(of, fill, where);
  co_return multimap<K, containers::made_by<F, K, V>, Partition>(made, of.partition());
}
// A bag of what f(element) gives, in the same order.
// Collective; blocks until every PE has called it and filled its part; throws what f throws.
template <class T, class F>
task<bag<containers::made_by<F, T>>> transform(bag<T> of, F f,
                                               std::source_location where = std::source_location::current()) {
  using made_part = containers::bag_part<containers::made_by<F, T>>;
  const auto fill = [&f](made_part& part, const T& element) { part.insert(f(element)); };
  const containers::number made = co_await containers::make_filled_parts<made_part>(of, fill, where);
  co_return bag<containers::made_by<F, T>>(made);
}

}  // namespace tsubu
