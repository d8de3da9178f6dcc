// The first k elements of all that the PEs have, in an order that the program gives: each PE names its own first k, and
// then all choose among these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/containers/elements_of.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

template <class T, class First>
void keep_first(std::vector<T>& elements, std::size_t k, First& first) {
  const auto end = elements.begin() + static_cast<std::ptrdiff_t>(std::min(k, elements.size()));
  std::partial_sort(elements.begin(), end, elements.end(), first);
  elements.erase(end, elements.end());
}

// In a heap of k, so that nothing but these is copied.
template <class R, class First>
auto first_of_range(const R& elements, std::size_t k, First& first) {
  std::vector<std::ranges::range_value_t<const R>> best;
  for (const auto& element : elements) {
    if (best.size() < k) {
      best.push_back(element);
      std::push_heap(best.begin(), best.end(), first);
    } else if (k != 0 && first(element, best.front())) {
      std::pop_heap(best.begin(), best.end(), first);
      best.back() = element;
      std::push_heap(best.begin(), best.end(), first);
    }
  }
  return best;
}

}  // namespace containers

// The k elements of a container that come first, in their order, on every PE; all of them if there are fewer.
// first(a, b): a comes before b. What is past and has not run is not seen.
// Collective; blocks until every PE has called it; throws nothing.
template <class Container, class First>
task<std::vector<containers::element_of<Container>>> top_k(
    Container container, std::size_t k, First first, std::source_location where = std::source_location::current()) {
  co_await barrier(where);
  auto mine = containers::first_of_range(container.here(where), k, first);  // the walk ends before this PE waits
  std::vector<containers::element_of<Container>> found;
  for (auto& of_pe : co_await all_gather(std::move(mine), where)) {
    std::ranges::move(of_pe, std::back_inserter(found));
  }
  containers::keep_first(found, k, first);
  co_return found;
}

}  // namespace tsubu
