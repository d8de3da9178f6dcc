// What a PE has of a counting set: how often each key came whose home it is, and what it has counted of others' keys
// and not sent yet.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

#include "tsubu/containers/map_part.hpp"
#include "tsubu/containers/merge_cache.hpp"

namespace tsubu::containers {

// How a key is given: a text may be a view, of which a text is only made where it has to be.
template <class K>
using view_of = std::conditional_t<std::is_same_v<K, std::string>, std::string_view, const K&>;

template <class K>
class counting_set_part {
  // What the caches send.
  struct sends_counts {
    template <class Key>
    static void send(pe_id to, number which, const Key& key, std::int64_t n);
  };
  static constexpr bool of_texts = std::is_same_v<K, std::string>;
  struct nothing {};

 public:
  map_part<K, std::int64_t> counts;
  merge_cache<K, sends_counts> kept;
  // Most texts are short, and as such take half a slot.
  [[no_unique_address]] std::conditional_t<of_texts, merge_cache<short_text, sends_counts>, nothing> kept_short;
  std::int64_t total = 0;  // of all keys whose home is here
  walks& walked_by = counts.walked_by;

  const auto& table() const { return counts.table(); }
  std::size_t size() const { return counts.size(); }
  // ---- told by --tsubu-stats: account.hpp
  static constexpr bool counts_by_key = true;
  std::size_t table_bytes() const { return counts.table_bytes(); }
  // ---- kept and brought back: saving/kept_container.hpp
  using element_type = std::pair<K, std::int64_t>;
  static std::string saved_as() { return "counting set of " + saved_type<K>::name(); }
  const auto& elements() const { return counts.table(); }
  static const K& key_of(const element_type& e) { return e.first; }
  void bring_back(element_type&& e) { add(e.first, hash_of_key(e.first), e.second); }

  void is_number(number which) {
    kept.which = which;
    if constexpr (of_texts) kept_short.which = which;
  }
  // False: this key is to be sent as it is.
  bool keep(pe_id to, std::uint64_t hash, view_of<K> key, std::int64_t n) {
    if constexpr (of_texts) {
      if (short_text::fits(key)) return kept_short.keep(to, hash, short_text(key), n);
    }
    return kept.keep(to, hash, key, n);
  }
  // Keys of which gone(key, count) is true go, with their counts; how many. What is kept of others' keys stays.
  template <class F>
  std::size_t erase_if(F& gone, std::source_location where) {
    const auto counted_out = [&](const K& key, std::int64_t n) {
      const bool goes = gone(key, n);
      if (goes) total -= n;
      return goes;
    };
    return counts.erase_if(counted_out, where);
  }
  void add(view_of<K> key, std::uint64_t hash, std::int64_t n) {
    total += n;
    if (std::int64_t* const there = counts.find(key, hash)) {
      *there += n;
    } else {
      counts.find_or_make(K(key), n);
    }
  }
};

// ---- operations: each runs on the home of its key

template <class K>
struct of_counting_set {
  static counting_set_part<K>& here(number which) { return part_here<counting_set_part<K>>(which); }
  template <class... A>
  static const void* looks_at(number which, const K& key, const A&...) {
    const counting_set_part<K>* const part = part_if_here<counting_set_part<K>>(which);
    return part == nullptr ? nullptr : part->counts.place_of(key);
  }
};

template <class K>
struct count_once : of_counting_set<K> {
  static void run(number which, K key) { of_counting_set<K>::here(which).add(key, hash_of_key(key), 1); }
};
template <class K>
struct count_often : of_counting_set<K> {
  static void run(number which, K key, std::int64_t n) {
    of_counting_set<K>::here(which).add(key, hash_of_key(key), n);
  }
};
template <class K>
struct how_often : of_counting_set<K> {
  static std::int64_t run(number which, K key) {
    const std::int64_t* const there = of_counting_set<K>::here(which).counts.find(key, hash_of_key(key));
    return there == nullptr ? 0 : *there;
  }
};

template <class K>
template <class Key>
void counting_set_part<K>::sends_counts::send(pe_id to, number which, const Key& key, std::int64_t n) {
  static_cast<void>(past_time::send<count_often<K>>(to, which, key, n));
}

}  // namespace tsubu::containers
