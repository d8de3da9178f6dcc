// What lies on all PEs in two parts: first all elements that have a property, then all others, each in the order in
// which they were.
//
//   auto [share, border] = co_await partition(numbers, is_prime);        // by every PE; of its share the first
//   `border`
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/containers/sort.hpp"

namespace tsubu {

namespace containers {

// A PE's share: those before the border have the property.
template <class T>
struct partitioned {
  std::vector<T> share;
  std::size_t border = 0;
};

}  // namespace containers

// This PE's share of what all PEs give, those first that have the property, and how many of it have it. PE 0 has what
// comes first, and no PE has more than one more than another. Elements keep their order, as by std::stable_partition.
// Collective; blocks until every PE has called it and all is there; throws what the property throws.
template <class T, class Property, class Projection = std::identity>
task<containers::partitioned<T>> partition(std::vector<T> mine, Property has, Projection of = {},
                                           std::source_location where = std::source_location::current()) {
  const auto comes_first = [has, of](const T& element) -> bool { return std::invoke(has, std::invoke(of, element)); };
  std::ranges::stable_partition(mine, comes_first);
  const auto before = [](bool a, bool b) { return a && !b; };
  containers::ordering order{before, comes_first};
  containers::partitioned<T> found;
  found.share = co_await containers::merge_over_pes(std::move(mine), std::move(order), where);
  found.border = static_cast<std::size_t>(std::ranges::partition_point(found.share, comes_first) - found.share.begin());
  co_return found;
}

}  // namespace tsubu
