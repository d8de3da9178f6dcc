// The vectors of all PEs as if they stood one behind the other, without elements that are equal to the one before them:
// sorted ones without what repeats.
//
//   std::vector<long> different = co_await unique(co_await sort(numbers));      // by every PE
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/containers/scan_elements.hpp"

namespace tsubu {

// This PE's elements but those that are equal to the one before them, on this PE or an earlier one. Equality and
// projection as of std::ranges::unique(). What stays is where it was: the shares are as long as they come out.
// Collective; blocks until every PE has called it; throws what the comparison throws.
template <class T, class Equal = std::ranges::equal_to, class Projection = std::identity>
task<std::vector<T>> unique(std::vector<T> mine, Equal equal = {}, Projection of = {},
                            std::source_location where = std::source_location::current()) {
  std::optional<T> last;
  if (!mine.empty()) last = mine.back();
  const auto later_one = [](const T&, const T& later) { return later; };
  const std::optional<T> before = co_await containers::before_this_pe(std::move(last), later_one, where);
  const auto repeated = std::ranges::unique(mine, equal, of);
  mine.erase(repeated.begin(), repeated.end());
  if (before.has_value() && !mine.empty() &&
      std::invoke(equal, std::invoke(of, *before), std::invoke(of, mine.front()))) {
    mine.erase(mine.begin());
  }
  co_return mine;
}

}  // namespace tsubu
