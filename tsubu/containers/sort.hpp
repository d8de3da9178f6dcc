// Sorts what lies on all PEs, by sampling (Frazer and McKellar, Samplesort, 1970): each PE sorts its own; some elements
// of all, taken at regular distances, tell about where the order of all is to be cut; each PE sends every other what
// falls into its part, and merges what comes. The parts are nearly equal, and then what is too much at an end goes on,
// so that they are equal.
//
// Equal elements are told apart by the PE and the place where they were: so many that are equal do not all fall into
// one part, and the order is that of a stable sort where each PE's own is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/base/blocks.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

// A place in the order of all: that of an element of the PE `from`, which has the number `at` there.
template <class T>
struct sample {
  T element;
  pe_id from = 0;
  std::size_t at = 0;

  template <class Archive>
  void serialize(Archive& a) {
    a(element, from, at);
  }
};

// How two are ordered, by what is looked at of them.
template <class Less, class Projection>
struct ordering {
  Less less;
  Projection of;

  template <class T>
  bool operator()(const T& a, const T& b) {
    return std::invoke(less, std::invoke(of, a), std::invoke(of, b));
  }
  template <class T>
  bool before(const sample<T>& a, const sample<T>& b) {
    if ((*this)(a.element, b.element)) return true;
    if ((*this)(b.element, a.element)) return false;
    return a.from != b.from ? a.from < b.from : a.at < b.at;
  }
};

// So many of each PE where all have as many. The parts differ by some hundredths then.
inline constexpr std::size_t samples_of_pe = 64;

// Elements of a sorted vector at regular distances; as many as its share of all elements.
template <class T>
std::vector<sample<T>> take_samples(const std::vector<T>& sorted, std::size_t all, pe_id me, std::size_t pes) {
  std::vector<sample<T>> taken;
  if (all == 0) return taken;
  const std::size_t count = std::min(sorted.size(), (samples_of_pe * pes * sorted.size() + all - 1) / all);
  taken.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (2 * i + 1) * sorted.size() / (2 * count);
    taken.push_back({sorted[at], me, at});
  }
  return taken;
}

// Where a sorted vector is cut for the PEs: the places of what comes first of each part but the first, and its end.
template <class T, class Ordering>
std::vector<std::size_t> ends_of_parts(const std::vector<T>& sorted, std::vector<sample<T>> samples, pe_id me,
                                       std::size_t pes, Ordering order) {
  std::ranges::sort(samples, [&](const auto& a, const auto& b) { return order.before(a, b); });
  std::vector<std::size_t> ends;
  for (std::size_t part = 1; part < pes && !samples.empty(); ++part) {
    const sample<T>& first = samples[part * samples.size() / pes];
    const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), first.element, order);
    const auto before = me < first.from ? end : begin;
    ends.push_back(me == first.from ? first.at : static_cast<std::size_t>(before - sorted.begin()));
  }
  ends.resize(pes, sorted.size());
  return ends;
}

template <class T>
std::vector<std::vector<T>> cut_at(std::vector<T> sorted, const std::vector<std::size_t>& ends) {
  std::vector<std::vector<T>> cut;
  cut.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const auto first = std::make_move_iterator(sorted.begin());
    cut.emplace_back(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  return cut;
}

// Equal elements come in the order of their runs.
template <class T, class Ordering>
std::vector<T> merge(std::vector<std::vector<T>> runs, Ordering order) {
  while (runs.size() > 1) {
    std::vector<std::vector<T>> merged;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
      std::vector<T>&a = runs[i], &b = runs[i + 1];
      if (a.empty() || b.empty()) {
        merged.push_back(std::move(a.empty() ? b : a));
        continue;
      }
      std::vector<T> both;
      both.reserve(a.size() + b.size());
      std::merge(std::make_move_iterator(a.begin()), std::make_move_iterator(a.end()),
                 std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()), std::back_inserter(both), order);
      a = {};
      b = {};
      merged.push_back(std::move(both));
    }
    if (runs.size() % 2 == 1) merged.push_back(std::move(runs.back()));
    runs = std::move(merged);
  }
  return runs.empty() ? std::vector<T>() : std::move(runs.front());
}

// Collective: what lies in an order over the PEs stays in it, and is cut as by_block() does. What a PE keeps is not
// copied.
template <class T>
task<std::vector<T>> even_out(std::vector<T> mine, std::size_t all, std::source_location where) {
  const auto pes = static_cast<std::size_t>(pe_count()), me = static_cast<std::size_t>(this_pe());
  const std::size_t last = co_await scan(mine.size(), reduce::plus, where);
  const std::size_t first = last - mine.size();
  const auto place = [&](std::size_t in_all) { return std::clamp(in_all, first, last) - first; };
  std::vector<std::vector<T>> others(pes);
  for (std::size_t pe = 0; pe < pes; ++pe) {
    if (pe == me) continue;
    const std::size_t begin = place(detail::block_begin(all, pes, pe)),
                      end = place(detail::block_begin(all, pes, pe + 1));
    const auto from = std::make_move_iterator(mine.begin());
    others[pe].assign(from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(end));
  }
  const std::size_t begin = place(detail::block_begin(all, pes, me)),
                    end = place(detail::block_begin(all, pes, me + 1));
  mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(end), mine.end());
  mine.erase(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(begin));
  std::vector<std::vector<T>> come = co_await all_to_all(std::move(others), where);
  come[me] = std::move(mine);
  if (std::ranges::count_if(come, [](const auto& v) { return !v.empty(); }) <= 1) {
    for (std::vector<T>& v : come)
      if (!v.empty()) co_return std::move(v);
    co_return std::vector<T>();
  }
  std::vector<T> share;
  share.reserve(detail::block_begin(all, pes, me + 1) - detail::block_begin(all, pes, me));
  for (std::vector<T>& of_pe : come) std::ranges::move(of_pe, std::back_inserter(share));
  co_return share;
}

// Collective: each PE gives what it has, in order, and gets its share of the order of all.
template <class T, class Ordering>
task<std::vector<T>> merge_over_pes(std::vector<T> sorted, Ordering order, std::source_location where) {
  const auto pes = static_cast<std::size_t>(pe_count());
  if (pes == 1) co_return sorted;
  const std::size_t all = co_await all_reduce(sorted.size(), reduce::plus, where);
  std::vector<sample<T>> samples;
  for (auto& of_pe : co_await all_gather(take_samples(sorted, all, this_pe(), pes), where)) {
    std::ranges::move(of_pe, std::back_inserter(samples));
  }
  const std::vector<std::size_t> ends = ends_of_parts(sorted, std::move(samples), this_pe(), pes, order);
  std::vector<std::vector<T>> cut = cut_at(std::move(sorted), ends);
  std::vector<std::vector<T>> come = co_await all_to_all(std::move(cut), where);
  std::vector<T> part = merge(std::move(come), order);
  co_return co_await even_out(std::move(part), all, where);
}

}  // namespace containers

// What all PEs give, in order: this PE's share of it. PE 0 has what comes first, and no PE has more than one more than
// another. Less and projection as of std::ranges::sort(), the same on all PEs. Elements travel.
// Collective; blocks until every PE has called it and all is there; throws what the comparison throws.
template <class T, class Less = std::ranges::less, class Projection = std::identity>
task<std::vector<T>> sort(std::vector<T> mine, Less less = {}, Projection of = {},
                          std::source_location where = std::source_location::current()) {
  containers::ordering<Less, Projection> order{std::move(less), std::move(of)};
  std::sort(mine.begin(), mine.end(), order);
  co_return co_await containers::merge_over_pes(std::move(mine), std::move(order), where);
}

// The same, and equal elements keep the order in which they were, those of PE 0 before those of PE 1.
// Collective; blocks until every PE has called it and all is there; throws what the comparison throws.
template <class T, class Less = std::ranges::less, class Projection = std::identity>
task<std::vector<T>> stable_sort(std::vector<T> mine, Less less = {}, Projection of = {},
                                 std::source_location where = std::source_location::current()) {
  containers::ordering<Less, Projection> order{std::move(less), std::move(of)};
  std::stable_sort(mine.begin(), mine.end(), order);
  co_return co_await containers::merge_over_pes(std::move(mine), std::move(order), where);
}

}  // namespace tsubu
