// What a PE has of a map: the keys whose home it is, with their values, in a table of tsl::robin_map; and what the
// verbs of a map do there.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/containers/key_hash.hpp"
#include "tsubu/containers/operation.hpp"
#include "tsubu/containers/saving/saved_type.hpp"
#include "tsubu/containers/table_memory.hpp"
#include "tsubu/containers/visitor.hpp"
#include "tsubu/containers/walk.hpp"

namespace tsubu::containers {

template <class K, class V>
class map_part {
 public:
  using table_type = tsl::robin_map<K, V, table_hash, std::equal_to<>, table_memory<std::pair<K, V>>, keeps_hashes<K>>;

  const table_type& table() const { return table_; }
  std::size_t size() const { return table_.size(); }
  // ---- told by --tsubu-stats: account.hpp
  static constexpr bool counts_by_key = false;
  std::size_t table_bytes() const { return array_.bytes; }
  // ---- kept and brought back: saving/kept_container.hpp
  using element_type = std::pair<K, V>;
  static std::string saved_as() { return "map of " + saved_type<K>::name() + " to " + saved_type<V>::name(); }
  const table_type& elements() const { return table_; }
  static const K& key_of(const element_type& e) { return e.first; }
  void bring_back(element_type&& e) { find_or_make(std::move(e.first), std::move(e.second)); }

  const void* place_of(const K& key) const { return array_.place_of(hash_of_key(key), table_.bucket_count()); }

  // The value of a key, or null. Who has the key's hash gives it; the key may be what compares with a K.
  template <class Key>
  V* find(const Key& key, std::uint64_t hash) {
    const auto found = table_.find(key, hash);
    return found == table_.end() ? nullptr : &found.value();
  }
  V* find(const K& key) { return find(key, hash_of_key(key)); }
  const V* find(const K& key) const {
    const auto found = table_.find(key);
    return found == table_.end() ? nullptr : &found->second;
  }
  // The value of the key, made of the arguments where there was none; and whether it was made.
  template <class... A>
  std::pair<V*, bool> find_or_make(K&& key, A&&... of) {
    if (walked_by.any()) [[unlikely]]
      refuse_new(key);
    const auto [found, made] = table_.try_emplace(std::move(key), std::forward<A>(of)...);
    return {&found.value(), made};
  }
  bool erase(const K& key) {
    if (walked_by.any() && find(key) != nullptr) [[unlikely]]
      walked_by.refuse("a key is erased");
    return table_.erase(key) != 0;
  }
  // Those of which gone(key, value) is true go; how many. Each is asked about once, before any goes.
  template <class F>
  std::size_t erase_if(F& gone, std::source_location where) {
    if (walked_by.any()) walked_by.refuse("keys are erased");
    std::vector<K> keys;
    for (const auto& [key, value] : walked(table_, walked_by, where)) {
      if (gone(key, value)) keys.push_back(key);
    }
    for (const K& key : keys) table_.erase(key);
    return keys.size();
  }
  // f(key, value) for each.
  template <class F>
  void for_each(F& f) {
    for (auto at = table_.begin(); at != table_.end(); ++at) f(at.key(), at.value());
  }

  walks walked_by;

 private:
  void refuse_new(const K& key) const {
    if (find(key) == nullptr) walked_by.refuse("a new key comes");
  }

  table_array array_;
  table_type table_{0, table_hash(), std::equal_to<>(), table_memory<std::pair<K, V>>(array_)};
};

// ---- operations: each runs on the home of its key

template <class K, class V>
struct of_map {
  static map_part<K, V>& here(number which) { return part_here<map_part<K, V>>(which); }
  template <class... A>
  static const void* looks_at(number which, const K& key, const A&...) {
    const map_part<K, V>* const part = part_if_here<map_part<K, V>>(which);
    return part == nullptr ? nullptr : part->place_of(key);
  }
};

template <class K, class V>
struct map_insert : of_map<K, V> {
  static bool run(number which, K key, V value) {
    return of_map<K, V>::here(which).find_or_make(std::move(key), std::move(value)).second;
  }
};

template <class K, class V>
struct map_insert_or_assign : of_map<K, V> {
  static bool run(number which, K key, V value) {
    auto& part = of_map<K, V>::here(which);
    if (V* const there = part.find(key)) {
      *there = std::move(value);
      return false;
    }
    return part.find_or_make(std::move(key), std::move(value)).second;
  }
};

template <class K, class V, class Reduce>
struct map_reduce : of_map<K, V> {
  static bool run(number which, K key, V value) {
    auto& part = of_map<K, V>::here(which);
    if (V* const there = part.find(key)) {
      *there = Reduce()(std::move(*there), std::move(value));
      return false;
    }
    return part.find_or_make(std::move(key), std::move(value)).second;
  }
};

template <class K, class V>
struct map_erase : of_map<K, V> {
  static bool run(number which, K key) { return of_map<K, V>::here(which).erase(key); }
};

template <class K, class V>
struct map_find : of_map<K, V> {
  static std::optional<V> run(number which, K key) {
    const V* const there = of_map<K, V>::here(which).find(key);
    return there == nullptr ? std::nullopt : std::optional<V>(*there);
  }
};

template <class K, class V>
struct map_contains : of_map<K, V> {
  static bool run(number which, K key) { return of_map<K, V>::here(which).find(key) != nullptr; }
};

template <class K, class V, class L, class Arguments>
struct map_visit;
template <class K, class V, class L, class... A>
struct map_visit<K, V, L, std::tuple<A...>> : of_map<K, V> {
  static typename visit_of<L, K, V, A...>::result run(number which, K key, L visitor, A... arguments) {
    auto& part = of_map<K, V>::here(which);
    V* there = part.find(key);
    if (there != nullptr) return visitor(std::as_const(key), *there, std::move(arguments)...);
    there = part.find_or_make(K(key)).first;
    return visitor(std::as_const(key), *there, std::move(arguments)...);
  }
};

template <class K, class V, class L, class Arguments>
struct map_visit_if_present;
template <class K, class V, class L, class... A>
struct map_visit_if_present<K, V, L, std::tuple<A...>> : of_map<K, V> {
  using visit = visit_of<L, K, V, A...>;
  static typename visit::if_present run(number which, K key, L visitor, A... arguments) {
    V* const there = of_map<K, V>::here(which).find(key);
    if (there == nullptr) return {};
    if constexpr (std::is_void_v<typename visit::result>) {
      visitor(std::as_const(key), *there, std::move(arguments)...);
      return true;
    } else {
      return visitor(std::as_const(key), *there, std::move(arguments)...);
    }
  }
};

template <class K, class V, class L, class Arguments>
struct map_visit_or_insert;
template <class K, class V, class L, class... A>
struct map_visit_or_insert<K, V, L, std::tuple<A...>> : of_map<K, V> {
  static bool run(number which, K key, V value, L visitor, A... arguments) {
    auto& part = of_map<K, V>::here(which);
    if (V* const there = part.find(key)) {
      static_cast<void>(sizeof(visit_of<L, K, V, A...>));
      visitor(std::as_const(key), *there, std::move(arguments)...);
      return false;
    }
    return part.find_or_make(std::move(key), std::move(value)).second;
  }
};

}  // namespace tsubu::containers
