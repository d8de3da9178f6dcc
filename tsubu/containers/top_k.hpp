// The first k elements of all that the PEs have, in an order that the program gives: each PE names its own first k, and
// of two such lists the first k become one, up a tree. So no PE has more than the k of two lists at a time, nor sends
// more than k in a step, however many PEs there are.
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

// The first elements of some PEs, in their order. As one value: a vector would be reduced element by element.
template <class T>
struct first_elements {
  std::vector<T> found;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(found);
  }
};

// At most k of a range, in their order; of equal ones those that come first in it. They are chosen in a heap of k, with
// their places, so that nothing but these is copied.
template <class R, class First>
auto first_of_range(const R& elements, std::size_t k, First& first) {
  using element = std::ranges::range_value_t<const R>;
  std::vector<std::pair<element, std::size_t>> best;
  const auto earlier = [&first](const auto& a, const auto& b) {
    if (first(a.first, b.first)) return true;
    return !first(b.first, a.first) && a.second < b.second;
  };
  std::size_t place = 0;
  for (const auto& one : elements) {
    if (best.size() < k) {
      best.emplace_back(one, place);
      std::ranges::push_heap(best, earlier);
    } else if (k != 0 && first(one, best.front().first)) {
      std::ranges::pop_heap(best, earlier);
      best.back() = std::pair<element, std::size_t>(one, place);
      std::ranges::push_heap(best, earlier);
    }
    ++place;
  }
  std::ranges::sort_heap(best, earlier);
  first_elements<element> all;
  all.found.reserve(best.size());
  for (auto& [one, at] : best) all.found.push_back(std::move(one));
  return all;
}

// The first k of two lists; of equal ones those of the first list come first.
template <class T, class First>
first_elements<T> first_of_both(first_elements<T> a, first_elements<T> b, std::size_t k, First& first) {
  first_elements<T> all;
  all.found.reserve(std::min(k, a.found.size() + b.found.size()));
  auto in_a = a.found.begin();
  auto in_b = b.found.begin();
  while (all.found.size() < k && (in_a != a.found.end() || in_b != b.found.end())) {
    const bool takes_b = in_a == a.found.end() || (in_b != b.found.end() && first(*in_b, *in_a));
    all.found.push_back(std::move(takes_b ? *in_b++ : *in_a++));
  }
  return all;
}

// Collective: the first k of all PEs' lists, on every PE.
template <class T, class First>
task<std::vector<T>> first_of_all(first_elements<T> mine, std::size_t k, First first, std::source_location where) {
  const auto of_both = [k, order = &first](first_elements<T> a, first_elements<T> b) {
    return first_of_both(std::move(a), std::move(b), k, *order);
  };
  first_elements<T> all = co_await all_reduce(std::move(mine), of_both, where);
  co_return std::move(all.found);
}

}  // namespace containers

// The k elements that come first, in their order, on every PE; all of them if there are fewer. `of` is a container, or
// a range of what each PE has, such as a vector. first(a, b): a comes before b. Of elements of which neither comes
// before the other, those of lower PEs come first, and those of one PE as its here(), or its range, has them. What is
// past and has not run is not seen.
// Collective; blocks until every PE has called it, with the same k; an order that throws ends the job.
template <containers::gives_elements Elements, class First>
task<std::vector<containers::element_of<Elements>>> top_k(
    Elements of, std::size_t k, First first, std::source_location where = std::source_location::current()) {
  if constexpr (containers::has_here<Elements>) co_await barrier(where);
  auto mine = containers::first_of_range(containers::elements_of(of, where), k, first);  // no walk while this PE waits
  co_return co_await containers::first_of_all(std::move(mine), k, std::move(first), where);
}

}  // namespace tsubu
