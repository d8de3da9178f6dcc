// What a PE has of a multimap: for each key whose home it is, its values in the order in which they came; and what the
// verbs of a multimap do there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/containers/map_part.hpp"

namespace tsubu::containers {

template <class K, class V>
class multimap_part {
 public:
  const auto& table() const { return lists_.table(); }
  std::size_t size() const { return values_; }
  // ---- told by --tsubu-stats: account.hpp
  static constexpr bool counts_by_key = true;
  std::size_t table_bytes() const { return lists_.table_bytes(); }
  // ---- kept and brought back: saving/kept_container.hpp
  using element_type = std::pair<K, std::vector<V>>;
  static std::string saved_as() { return "multimap of " + saved_type<K>::name() + " to " + saved_type<V>::name(); }
  const auto& elements() const { return lists_.table(); }
  static const K& key_of(const element_type& e) { return e.first; }
  void bring_back(element_type&& e) {
    for (V& value : e.second) insert(K(e.first), std::move(value));
  }

  const void* place_of(const K& key) const { return lists_.place_of(key); }

  // The values of a key, or null.
  std::vector<V>* find(const K& key) { return lists_.find(key); }
  const std::vector<V>* find(const K& key) const { return lists_.find(key); }
  // A list never is empty, and a further value may move those that are walked.
  std::size_t insert(K&& key, V&& value) {
    if (walked_by.any()) [[unlikely]]
      walked_by.refuse("a value comes");
    std::vector<V>& list = *lists_.find_or_make(std::move(key)).first;
    list.push_back(std::move(value));
    ++values_;
    return list.size();
  }
  std::size_t erase(const K& key) {
    const std::vector<V>* const list = find(key);
    if (list == nullptr) return 0;
    const std::size_t gone = list->size();
    lists_.erase(key);
    values_ -= gone;
    return gone;
  }
  // Values of which gone(key, value) is true go; how many. Those of a key that stay keep their order.
  template <class F>
  std::size_t erase_if(F& gone, std::source_location where) {
    if (walked_by.any()) walked_by.refuse("values are erased");
    std::size_t values = 0;
    std::vector<K> emptied;
    const auto each = [&](const K& key, std::vector<V>& list) {
      values += std::erase_if(list, [&](const V& value) { return gone(key, value); });
      if (list.empty()) emptied.push_back(key);
    };
    {
      const walked open(table(), walked_by, where);
      lists_.for_each(each);
    }
    for (const K& key : emptied) lists_.erase(key);
    values_ -= values;
    return values;
  }
  // f(key, value) for each value.
  template <class F>
  void for_each(F& f) {
    const auto each = [&f](const K& key, std::vector<V>& list) {
      for (V& value : list) f(key, value);
    };
    lists_.for_each(each);
  }

 private:
  map_part<K, std::vector<V>> lists_;
  std::size_t values_ = 0;

 public:
  walks& walked_by = lists_.walked_by;
};

// ---- operations: each runs on the home of its key

template <class K, class V>
struct of_multimap {
  static multimap_part<K, V>& here(number which) { return part_here<multimap_part<K, V>>(which); }
  template <class... A>
  static const void* looks_at(number which, const K& key, const A&...) {
    const multimap_part<K, V>* const part = part_if_here<multimap_part<K, V>>(which);
    return part == nullptr ? nullptr : part->place_of(key);
  }
};

template <class K, class V>
struct multimap_insert : of_multimap<K, V> {
  static std::size_t run(number which, K key, V value) {
    return of_multimap<K, V>::here(which).insert(std::move(key), std::move(value));
  }
};

template <class K, class V>
struct multimap_erase : of_multimap<K, V> {
  static std::size_t run(number which, K key) { return of_multimap<K, V>::here(which).erase(key); }
};

template <class K, class V>
struct multimap_count : of_multimap<K, V> {
  static std::size_t run(number which, K key) {
    const std::vector<V>* const list = of_multimap<K, V>::here(which).find(key);
    return list == nullptr ? 0 : list->size();
  }
};

template <class K, class V>
struct multimap_find : of_multimap<K, V> {
  static std::vector<V> run(number which, K key) {
    const std::vector<V>* const list = of_multimap<K, V>::here(which).find(key);
    return list == nullptr ? std::vector<V>() : *list;
  }
};

// Each visit gets the arguments, so they are copied.
template <class K, class V, class L, class Arguments>
struct multimap_visit;
template <class K, class V, class L, class... A>
struct multimap_visit<K, V, L, std::tuple<A...>> : of_multimap<K, V> {
  static std::size_t run(number which, K key, L visitor, A... arguments) {
    static_assert(std::is_void_v<typename visit_of<L, K, V, A...>::result>,
                  "a visitor of a multimap gives nothing: it is called for each value of its key");
    std::vector<V>* const list = of_multimap<K, V>::here(which).find(key);
    if (list == nullptr) return 0;
    for (V& value : *list) visitor(std::as_const(key), value, A(arguments)...);
    return list->size();
  }
};

}  // namespace tsubu::containers
