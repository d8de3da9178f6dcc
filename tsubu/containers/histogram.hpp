// How many elements of all PEs lie between given bounds.
//
//   const std::vector<int> bounds{18, 65};
//   std::vector<std::uint64_t> ages = co_await histogram(people, bounds, &person::age);      // by every PE
//   // ages[0]: below 18; ages[1]: 18 and more, but below 65; ages[2]: 65 and more
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/containers/elements_of.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

template <class C, class T, class Projection>
std::vector<std::uint64_t> count_between(C& mine, const std::vector<T>& bounds, Projection& of,
                                         std::source_location where) {
  std::vector<std::uint64_t> counts(bounds.size() + 1);
  for (auto&& element : elements_of(mine, where)) {
    const auto above = std::ranges::upper_bound(bounds, std::invoke(of, element));
    ++counts[static_cast<std::size_t>(above - bounds.begin())];
  }
  return counts;
}

}  // namespace containers

// How many elements are below the first bound, between each and the next, and not below the last: one number more than
// there are bounds, the same on every PE. A bound belongs to what is above it. The bounds are in order, and the same on
// all PEs; the elements a container's, or a vector's or another range's.
// Collective; blocks until every PE has called it; bounds of other numbers end the job.
template <containers::gives_elements C, class T, class Projection = std::identity>
task<std::vector<std::uint64_t>> histogram(C mine, std::vector<T> bounds, Projection of = {},
                                           std::source_location where = std::source_location::current()) {
  if constexpr (containers::has_here<C>) co_await barrier(where);
  std::vector<std::uint64_t> counts = containers::count_between(mine, bounds, of, where);
  co_return co_await all_reduce(std::move(counts), reduce::plus, where);
}

}  // namespace tsubu
