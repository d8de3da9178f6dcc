// Scans of the vectors of all PEs, as if they stood one behind the other, in the order of the PEs: each element becomes
// what it and those before it come to, or, exclusive, only those before it.
//
//   std::vector<long> ends = co_await inclusive_scan(lengths);         // by every PE, each with lengths of its own
//   std::vector<long> begins = co_await exclusive_scan(lengths, 0L);
#pragma once

#include <functional>
#include <numeric>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

// Both are nothing where there is no element.
template <class T>
struct prefix {
  std::optional<T> before;  // what the elements of earlier PEs come to
  std::optional<T> with;    // what these and this PE's come to

  template <class Archive>
  void serialize(Archive& a) {
    a(before, with);
  }
};

template <class T, class Op>
std::optional<T> combine_if_any(const Op& op, std::optional<T> left, const std::optional<T>& right) {
  if (!left.has_value()) return right;
  if (right.has_value()) left = op(std::move(*left), *right);
  return left;
}

// What the elements of the PEs before this one come to.
template <class T, class Op>
task<std::optional<T>> before_this_pe(std::optional<T> mine, Op op, std::source_location where) {
  const auto follow = [op](const prefix<T>& left, const prefix<T>& right) {
    return prefix<T>{combine_if_any(op, left.with, right.before), combine_if_any(op, left.with, right.with)};
  };
  prefix<T> of_pe{std::nullopt, std::move(mine)};
  of_pe = co_await scan(std::move(of_pe), follow, where);
  co_return std::move(of_pe.before);
}

template <class T, class Op>
std::optional<T> sum_of(const std::vector<T>& elements, const Op& op) {
  if (elements.empty()) return std::nullopt;
  return std::accumulate(elements.begin() + 1, elements.end(), elements.front(), op);
}

}  // namespace containers

// The elements of all PEs, each combined with all before it, in the order of the PEs; this PE's share. An operation is
// associative: op(what is before, element).
// Collective; blocks until every PE has called it; throws what op throws here, and what it throws elsewhere ends the
// job.
template <class T, class Op = std::plus<>>
task<std::vector<T>> inclusive_scan(std::vector<T> mine, Op op = {},
                                    std::source_location where = std::source_location::current()) {
  std::optional<T> before = co_await containers::before_this_pe(containers::sum_of(mine, op), op, where);
  for (T& element : mine) {
    if (before.has_value()) element = op(std::move(*before), std::move(element));
    before = element;
  }
  co_return mine;
}

// The same without the element itself: the first of all becomes `first`, which comes before all others, too.
// Collective; blocks until every PE has called it; throws what op throws here, and what it throws elsewhere ends the
// job.
template <class T, class Op = std::plus<>>
task<std::vector<T>> exclusive_scan(std::vector<T> mine, T first, Op op = {},
                                    std::source_location where = std::source_location::current()) {
  const std::optional<T> before = co_await containers::before_this_pe(containers::sum_of(mine, op), op, where);
  if (before.has_value()) first = op(std::move(first), *before);
  for (T& element : mine) {
    T next = op(first, std::move(element));
    element = std::exchange(first, std::move(next));
  }
  co_return mine;
}

}  // namespace tsubu
