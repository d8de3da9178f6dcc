// A plan for a gather that is done again and again: which elements of a spread vector each PE needs stays the same, and
// their values change.
//
//   auto plan = co_await plan_exchange<double>(n, by_block(), columns, {.method = plan_method::packed});   // once
//   for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = plan.slots()[k];
//   ...
//   const std::span<const double> x = co_await plan.gather(mine);          // often; x[plan.slots()[k]] is needed[k]'s
//
// or, so that what is there can be used while other elements are still being read,
//
//   auto product = [&](std::size_t first, std::size_t last, std::span<const double> x) { ... };   // rows of a matrix
//   co_await plan.visit(mine, row_begins, product);
//
// The program is the same whichever method (method.hpp) the plan has. Executions need no barrier between them: a plan
// keeps two views in turn. See docs/plans.md.
//
// Source: EM-X sparse CG (Sato et al. 1997), section 4; inspector and executor are Saltz's words (1991).
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

#include "tsubu/data/plan/block_exchange.hpp"
#include "tsubu/data/plan/method.hpp"
#include "tsubu/data/plan/packed_exchange.hpp"
#include "tsubu/data/plan/read_exchange.hpp"
#include "tsubu/data/plan/update_exchange.hpp"
#include "tsubu/object/distribution.hpp"

namespace tsubu {

// How a plan shall do it.
struct plan_options {
  plan_method method = plan_method::packed;
  int tasks = 4;  // that read at a time, by `read` and `cached`: the n of the paper's thd-n
};

// What plan_exchange() gives; may be moved. One task executes it at a time, and as often as on all other PEs.
// Collective to execute; blocks until what this PE needs is there, which need not be all PEs; another number of own
// elements than the distribution has given this PE ends the job, and so does a second task that executes it.
template <class T>
class exchange_plan {
 public:
  exchange_plan() = default;
  exchange_plan(plan_method method, std::shared_ptr<const data::exchange_pattern> pattern,
                std::unique_ptr<data::exchange<T>> by)
      : method_(method), pattern_(std::move(pattern)), by_(std::move(by)) {}

  // How it is done.
  plan_method method() const { return method_; }
  // Where each occurrence is in the view, in the order in which they were given.
  std::span<const std::int32_t> slots() const { return by_->slots(); }
  // How many elements this PE has, and how many of others it needs.
  std::size_t own() const { return pattern_->own(); }
  std::size_t others() const { return pattern_->view_size() - pattern_->own(); }

  // `co_await plan.gather(own)`: executes. The view, which is valid until the plan is executed again or destroyed.
  task<std::span<const T>> gather(std::span<const T> own) {
    check(own);
    return by_->gather(own);
  }

  // `co_await plan.visit(own, bounds, body)`: executes. Occurrences [bounds[g], bounds[g + 1]) are group g, and
  // body(first, last, view) is called once for each group, or for several that follow each other, when their elements
  // are in the view; in no certain order. It does not wait. The bounds must stay until the await returns; a body that
  // owns memory is named before it is awaited.
  template <std::invocable<std::size_t, std::size_t, std::span<const T>> Body>
  task<void> visit(std::span<const T> own, std::span<const std::int64_t> bounds, Body body) {
    check(own);
    require(bounds.empty() ? slots().empty()
                           : bounds.front() == 0 && static_cast<std::size_t>(bounds.back()) == slots().size(),
            "the groups that visit a plan are not all of its {} occurrences", slots().size());
    return visit_groups(by_.get(), own, data::occurrence_groups(bounds), std::move(body));
  }

  // `co_await plan.visit(own, body)`: the same with a body(k, value) that is called for each occurrence.
  template <std::invocable<std::size_t, const T&> Body>
  task<void> visit(std::span<const T> own, Body body) {
    check(own);
    auto each = [slot_of = slots(), body](std::size_t first, std::size_t last, std::span<const T> view) {
      for (std::size_t k = first; k < last; ++k) body(k, view[static_cast<std::size_t>(slot_of[k])]);
    };
    return visit_groups(by_.get(), own, data::occurrence_groups(slots().size()), std::move(each));
  }

 private:
  // The body lives in the frame of this task.
  template <class Body>
  static task<void> visit_groups(data::exchange<T>* by, std::span<const T> own, data::occurrence_groups groups,
                                 Body body) {
    co_await by->visit(own, groups, data::group_visitor<T>(body));
  }
  void check(std::span<const T> own) const {
    require(by_ != nullptr, "an exchange plan is executed that plan_exchange() has not made");
    require(own.size() == pattern_->own(), "a plan is executed with {} elements of this PE, which has {}", own.size(),
            pattern_->own());
  }

  plan_method method_ = plan_method::packed;
  std::shared_ptr<const data::exchange_pattern> pattern_;
  std::unique_ptr<data::exchange<T>> by_;
};

namespace data {

// An exchange by that method. Collective.
template <class T>
task<std::unique_ptr<exchange<T>>> make_exchange(std::shared_ptr<const exchange_pattern> pattern, plan_method method,
                                                 int tasks) {
  switch (method) {
    case plan_method::block:
      return block_exchange<T>::make(std::move(pattern));
    case plan_method::update:
      return update_exchange<T>::make(std::move(pattern));
    case plan_method::packed:
      return packed_exchange<T>::make(std::move(pattern));
    case plan_method::read:
      return read_exchange<T>::make(std::move(pattern), tasks, false);
    case plan_method::cached:
      return read_exchange<T>::make(std::move(pattern), tasks, true);
  }
  fail("an exchange plan of an unknown method");
}

template <class T>
task<exchange_plan<T>> make_plan(exchange_pattern mine, plan_options how) {
  std::shared_ptr<const exchange_pattern> pattern =
      co_await exchange_pattern::agreed(std::move(mine), how.method != plan_method::block);
  std::unique_ptr<exchange<T>> by = co_await make_exchange<T>(pattern, how.method, how.tasks);
  co_return exchange_plan<T>(how.method, std::move(pattern), std::move(by));
}

}  // namespace data

// A plan for a vector of n elements, spread as the distribution's home(i, n, pes) says: a PE's own elements are in the
// order of their indices. `needed`: the index of each occurrence on this PE, of 32 or 64 bits, as often as it occurs;
// it is read before the task begins. What is planned here: which PE sends what to which, and where that will lie.
// Collective; blocks until all PEs have called it; an index that is not there, other sizes on other PEs, and fewer than
// one task end the job.
template <class T, class D, std::ranges::contiguous_range Needed>
task<exchange_plan<T>> plan_exchange(std::size_t n, D distribution, const Needed& needed, plan_options how = {}) {
  static_assert(wire::plain<T> && sizeof(T) <= 240,
                "a plan is for elements that travel as their bytes, of 240 at most");
  require(how.tasks >= 1, "{} tasks are to read the elements of a plan", how.tasks);
  using index = std::ranges::range_value_t<Needed>;
  static_assert(std::same_as<index, std::int32_t> || std::same_as<index, std::int64_t>,
                "the indices that a plan is for are std::int32_t or std::int64_t");
  const data::vector_spread spread(n, distribution);
  return data::make_plan<T>(data::exchange_pattern(spread, std::span<const index>(needed)), how);
}

}  // namespace tsubu
