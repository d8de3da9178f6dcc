// Some elements of all, each as likely as any other: each draws a lot, which follows from the seed and from what is the
// same for any number of PEs, its key or its place in the order of all, and the first k lots win. So no PE keeps more
// than k, as with a reservoir, and the winners of two PEs are among those of each (Cohen and Kaplan, Summarizing data
// using bottom-k sketches, 2007).
//
//   std::vector<record> some = co_await sample(records, 100, seed);       // by every PE; the same on each
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/base/random.hpp"
#include "tsubu/containers/bag.hpp"
#include "tsubu/containers/key_hash.hpp"
#include "tsubu/containers/named_container.hpp"
#include "tsubu/containers/top_k.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

template <class T>
struct drawn {
  std::uint64_t lot = 0;
  std::size_t place = 0;  // in the order of all, where there is one
  T element{};

  template <class Archive>
  void serialize(Archive& a) {
    a(lot, place, element);
  }
};
inline constexpr auto lot_first = [](const auto& a, const auto& b) {
  return a.lot != b.lot ? a.lot < b.lot : a.place < b.place;
};

// The first k lots of this PE's elements. id(element, place) is what the lot of an element follows from.
template <class T, class R, class Id>
first_elements<drawn<T>> draw(const R& elements, std::size_t place, std::size_t k, std::uint64_t seed, Id id) {
  const std::uint64_t seed_bits = tsubu::detail::mix_bits(seed + 0x9e3779b97f4a7c15U);
  const auto lot_of = [&](const T& element) {
    const std::uint64_t bits = tsubu::detail::mix_bits(id(element, place) + 0x9e3779b97f4a7c15U);
    return drawn<const T*>{tsubu::detail::mix_bits(bits ^ seed_bits), place++, &element};
  };
  const auto first = first_of_range(std::views::transform(elements, lot_of), k, lot_first);
  first_elements<drawn<T>> won;
  for (const drawn<const T*>& one : first.found) won.found.push_back({one.lot, one.place, *one.element});
  return won;
}

template <class T>
std::vector<T> elements_in_order(std::vector<drawn<T>> won) {
  std::vector<T> elements;
  elements.reserve(won.size());
  for (drawn<T>& winner : won) elements.push_back(std::move(winner.element));
  return elements;
}

}  // namespace containers

// K elements of those that all PEs give, each as likely as any other, or all if there are fewer; in their order, those
// of PE 0 first. The same for a seed, however the elements are cut among PEs.
// Collective; blocks until every PE has called it; throws nothing.
template <class T>
task<std::vector<T>> sample(std::vector<T> mine, std::size_t k, std::uint64_t seed,
                            std::source_location where = std::source_location::current()) {
  const std::size_t last = co_await scan(mine.size(), reduce::plus, where);
  const auto by_place = [](const T&, std::size_t place) { return place; };
  auto won = containers::draw<T>(mine, last - mine.size(), k, seed, by_place);
  auto all = co_await containers::first_of_all(std::move(won), k, containers::lot_first, where);
  std::ranges::sort(all, std::ranges::less(), &containers::drawn<T>::place);
  co_return containers::elements_in_order(std::move(all));
}

// K elements of a container of keys, each as likely as any other, or all if there are fewer; a key of a multimap with
// all its values. The same and in the same order for a seed, on any number of PEs, if the hash of the keys is.
// Collective; blocks until every PE has called it; throws nothing.
template <class K, class Part, class Partition>
task<std::vector<typename Part::element_type>> sample(containers::named_container<K, Part, Partition> of, std::size_t k,
                                                      std::uint64_t seed,
                                                      std::source_location where = std::source_location::current()) {
  using element = typename Part::element_type;
  co_await barrier(where);
  const auto by_key = [](const element& e, std::size_t) { return containers::hash_of_key(Part::key_of(e)); };
  auto won = containers::draw<element>(of.here(where), 0, k, seed, by_key);
  auto all = co_await containers::first_of_all(std::move(won), k, containers::lot_first, where);
  co_return containers::elements_in_order(std::move(all));
}

// K elements of a bag, as of the vectors that its parts are.
// Collective; blocks until every PE has called it; throws nothing.
template <class T>
task<std::vector<T>> sample(bag<T> of, std::size_t k, std::uint64_t seed,
                            std::source_location where = std::source_location::current()) {
  co_await barrier(where);
  std::vector<T> mine;
  std::ranges::copy(of.here(where), std::back_inserter(mine));
  co_return co_await sample(std::move(mine), k, seed, where);
}

}  // namespace tsubu
