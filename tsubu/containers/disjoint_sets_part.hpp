// What a PE has of disjoint sets: for each element whose home it is, another one of its set, its parent; the parent of
// a root is itself. And what the verbs do there.
//
// A parent always comes behind its child in an order of all elements that has nothing to do with their values, so there
// is no cycle, whatever happens at the same time. link(u, v) says that two are of one set, and is executed where the
// earlier one is at home, which changes at most that one's parent: if it is a root, it gets the other one for a parent;
// else what is left to say is that its parent and the other one are of one set, and it keeps the earlier of these two
// for a parent no longer (Rem's algorithm, in Dijkstra: A Discipline of Programming, 1976; Patwary, Blair and Manne,
// 2010). Nothing is ever waited for: what the parents and the links on their way say together stays the same.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tsubu/containers/map_part.hpp"

namespace tsubu::containers {

template <class K>
class disjoint_part {
 public:
  const auto& table() const { return parents_.table(); }
  std::size_t size() const { return parents_.size(); }
  // ---- told by --tsubu-stats: account.hpp
  static constexpr bool counts_by_key = false;
  std::size_t table_bytes() const { return parents_.table_bytes(); }
  // ---- kept and brought back: saving/kept_container.hpp
  using element_type = std::pair<K, K>;  // with its parent, which is the same on any number of PEs
  static std::string saved_as() { return "disjoint sets of " + saved_type<K>::name(); }
  const auto& elements() const { return parents_.table(); }
  static const K& key_of(const element_type& e) { return e.first; }
  void bring_back(element_type&& e) { parents_.find_or_make(std::move(e.first), std::move(e.second)); }

  const void* place_of(const K& key) const { return parents_.place_of(key); }

  // The parent of an element, which is made a root if it is new.
  K& parent(const K& element) {
    if (K* const there = parents_.find(element)) return *there;
    return *parents_.find_or_make(K(element), element).first;
  }
  const K* find(const K& element) const { return parents_.find(element); }
  // f(element, parent) for each.
  template <class F>
  void for_each(F& f) {
    parents_.for_each(f);
  }

 private:
  map_part<K, K> parents_;

 public:
  walks& walked_by = parents_.walked_by;
};

// The hash of a key names its home, so another one of it says who comes first: else all roots would be on one PE.
template <class K>
bool comes_before(const K& a, const K& b) {
  const auto place = [](const K& k) { return tsubu::detail::mix_bits(hash_of_key(k) ^ 0x9e3779b97f4a7c15U); };
  const std::uint64_t of_a = place(a), of_b = place(b);
  return of_a != of_b ? of_a < of_b : std::less<>()(a, b);
}

template <class K>
struct of_disjoint_sets {
  static disjoint_part<K>& here(number which) { return part_here<disjoint_part<K>>(which); }
  template <class... A>
  static const void* looks_at(number which, const K& key, const A&...) {
    const disjoint_part<K>* const part = part_if_here<disjoint_part<K>>(which);
    return part == nullptr ? nullptr : part->place_of(key);
  }
};

template <class K, class Partition>
struct disjoint_link : of_disjoint_sets<K> {
  // On the home of u. As long as what is left to say is to be said here, it is.
  static void run(number which, K u, K v, Partition home) {
    disjoint_part<K>& part = of_disjoint_sets<K>::here(which);
    while (u != v) {
      if (comes_before(v, u)) std::swap(u, v);
      const pe_id to = home(u, pe_count());
      if (to != this_pe()) {
        past_time::send<disjoint_link>(to, which, u, v, home);
        return;
      }
      K& parent = part.parent(u);
      if (parent == u) {
        parent = std::move(v);
        return;
      }
      if (comes_before(parent, v)) {
        u = std::exchange(parent, v);
      } else {
        u = parent;
      }
    }
  }
};

// On the home of v: it is an element from now on, also where no other one gets it for a parent.
template <class K, class Partition>
struct disjoint_unite : of_disjoint_sets<K> {
  static void run(number which, K v, K u, Partition home) {
    const K& parent = of_disjoint_sets<K>::here(which).parent(v);
    if (u == v) return;
    disjoint_link<K, Partition>::run(which, std::move(u), K(parent), home);
  }
};

template <class K>
struct disjoint_insert : of_disjoint_sets<K> {
  static void run(number which, K element) { of_disjoint_sets<K>::here(which).parent(element); }
};

// The last of the parents' parents that is found on this PE; nothing of what is no element.
template <class K, class Partition>
struct disjoint_climb : of_disjoint_sets<K> {
  static std::optional<K> run(number which, K element, Partition home) {
    const disjoint_part<K>& part = of_disjoint_sets<K>::here(which);
    const K* parent = part.find(element);
    if (parent == nullptr) return std::nullopt;
    while (*parent != element && home(*parent, pe_count()) == this_pe()) {
      element = *parent;
      parent = part.find(element);
    }
    return *parent;
  }
};

}  // namespace tsubu::containers
