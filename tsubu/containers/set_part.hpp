// What a PE has of a set: the keys whose home it is, in a table of tsl::robin_set; and what the verbs of a set do
// there.
#pragma once

#include <tsl/robin_set.h>

#include <functional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/containers/key_hash.hpp"
#include "tsubu/containers/operation.hpp"
#include "tsubu/containers/saving/saved_type.hpp"
#include "tsubu/containers/table_memory.hpp"
#include "tsubu/containers/walk.hpp"

namespace tsubu::containers {

template <class K>
class set_part {
 public:
  using table_type = tsl::robin_set<K, table_hash, std::equal_to<>, table_memory<K>, keeps_hashes<K>>;

  const table_type& table() const { return table_; }
  std::size_t size() const { return table_.size(); }
  // ---- told by --tsubu-stats: account.hpp
  static constexpr bool counts_by_key = false;
  std::size_t table_bytes() const { return array_.bytes; }
  // ---- kept and brought back: saving/kept_container.hpp
  using element_type = K;
  static std::string saved_as() { return "set of " + saved_type<K>::name(); }
  const table_type& elements() const { return table_; }
  static const K& key_of(const element_type& key) { return key; }
  void bring_back(element_type&& key) { insert(std::move(key)); }

  const void* place_of(const K& key) const { return array_.place_of(hash_of_key(key), table_.bucket_count()); }

  bool contains(const K& key) const { return table_.find(key) != table_.end(); }
  bool insert(K&& key) {
    if (walked_by.any() && !contains(key)) [[unlikely]]
      walked_by.refuse("a new key comes");
    return table_.insert(std::move(key)).second;
  }
  bool erase(const K& key) {
    if (walked_by.any() && contains(key)) [[unlikely]]
      walked_by.refuse("a key is erased");
    return table_.erase(key) != 0;
  }
  // Those of which gone(key) is true go; how many. Each is asked about once, before any goes.
  template <class F>
  std::size_t erase_if(F& gone, std::source_location where) {
    if (walked_by.any()) walked_by.refuse("keys are erased");
    std::vector<K> keys;
    for (const K& key : walked(table_, walked_by, where)) {
      if (gone(key)) keys.push_back(key);
    }
    for (const K& key : keys) table_.erase(key);
    return keys.size();
  }

  walks walked_by;

 private:
  table_array array_;
  table_type table_{0, table_hash(), std::equal_to<>(), table_memory<K>(array_)};
};

// ---- operations: each runs on the home of its key

template <class K>
struct of_set {
  static set_part<K>& here(number which) { return part_here<set_part<K>>(which); }
  static const void* looks_at(number which, const K& key) {
    const set_part<K>* const part = part_if_here<set_part<K>>(which);
    return part == nullptr ? nullptr : part->place_of(key);
  }
};

template <class K>
struct set_insert : of_set<K> {
  static bool run(number which, K key) { return of_set<K>::here(which).insert(std::move(key)); }
};
template <class K>
struct set_erase : of_set<K> {
  static bool run(number which, K key) { return of_set<K>::here(which).erase(key); }
};
template <class K>
struct set_contains : of_set<K> {
  static bool run(number which, K key) { return of_set<K>::here(which).contains(key); }
};

}  // namespace tsubu::containers
