// A plan for a gather that is done again and again: which elements of a spread vector each PE needs stays the same, and
// their values change.
//
//   auto plan = co_await plan_exchange<double>(n, by_block(), columns);   // once
//   ...
//   const std::span<const double> x = co_await plan.gather(mine);   // often; x[plan.slots()[k]] is columns[k]'s
//
// where `mine` may be plan.own(); or, so that what is there can be used while other elements are still being read,
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
#include <source_location>
#include <span>
#include <utility>

#include "tsubu/data/plan/make_exchange.hpp"
#include "tsubu/data/plan/trial.hpp"
#include "tsubu/object/distribution.hpp"

namespace tsubu {

// How a plan shall do it.
struct plan_options {
  plan_method method = plan_method::automatic;
  int tasks = 4;  // that read at a time, by `read` and `cached`: the n of the paper's thd-n
};

// What plan_exchange() gives; may be moved. One task executes it at a time, and as often as on all other PEs.
// Collective; blocks until what this PE needs is there, which need not be all PEs; another number of own elements than
// the distribution has given this PE ends the job, and so does a second task that executes it.
template <class T>
class exchange_plan {
 public:
  exchange_plan() = default;
  exchange_plan(plan_method method, std::shared_ptr<const data::exchange_pattern> pattern,
                std::unique_ptr<data::exchange<T>> by)
      : method_(method),
        needs_nobody_(pattern->sources().empty() && pattern->destinations().empty() &&
                      (method != plan_method::block || pe_count() == 1)),
        pattern_(std::move(pattern)),
        by_(std::move(by)) {}

  // How it is done: as was asked for, or as `automatic` has found best.
  plan_method method() const { return method_; }
  // Where each occurrence is in the view, in the order in which they were given.
  std::span<const std::int32_t> slots() const { return by_->slots(); }
  // Memory for this PE's elements, which stays: they may be set there between executions, and given to them. That
  // copies less where a PE has more elements than it needs of others.
  std::span<T> own() { return by_->own(); }
  // How many elements this PE needs of others.
  std::size_t others() const { return pattern_->view_size() - pattern_->own(); }

  // `co_await plan.gather(own)`: executes. The view, which is valid until the plan is executed again or destroyed, or
  // `own` changes.
  task<std::span<const T>> gather(std::span<const T> own) {
    check(own);
    return needs_nobody_ ? own_alone(own) : by_->gather(own);
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
    return visit_groups(needs_nobody_ ? nullptr : by_.get(), own, data::occurrence_groups(bounds), std::move(body));
  }

  // `co_await plan.visit(own, body)`: the same with a body(k, value) that is called for each occurrence.
  template <std::invocable<std::size_t, const T&> Body>
  task<void> visit(std::span<const T> own, Body body) {
    check(own);
    auto each = [slot_of = slots(), body](std::size_t first, std::size_t last, std::span<const T> view) {
      for (std::size_t k = first; k < last; ++k) body(k, view[static_cast<std::size_t>(slot_of[k])]);
    };
    const data::occurrence_groups single(slots().size());
    return visit_groups(needs_nobody_ ? nullptr : by_.get(), own, single, std::move(each));
  }

 private:
  // Where this PE and the others need nothing of each other, its elements are the view.
  static task<std::span<const T>> own_alone(std::span<const T> own) { co_return own; }
  // The body lives in the frame of this task.
  template <class Body>
  static task<void> visit_groups(data::exchange<T>* by, std::span<const T> own, data::occurrence_groups groups,
                                 Body body) {
    if (by != nullptr) {
      co_await by->visit(own, groups, data::group_visitor<T>(body));
    } else if (groups.count() != 0) {
      body(0, groups.count(), own);
    }
  }
  void check(std::span<const T> own) const {
    require(by_ != nullptr, "an exchange plan is executed that plan_exchange() has not made");
    require(own.size() == pattern_->own(), "a plan is executed with {} elements of this PE, which has {}", own.size(),
            pattern_->own());
  }

  plan_method method_ = plan_method::packed;
  bool needs_nobody_ = false;
  std::shared_ptr<const data::exchange_pattern> pattern_;
  std::unique_ptr<data::exchange<T>> by_;
};

namespace data {

template <class T>
task<exchange_plan<T>> make_plan(exchange_pattern mine, plan_options how, std::source_location where) {
  const bool with_destinations = how.method != plan_method::block;
  std::shared_ptr<const exchange_pattern> pattern =
      co_await exchange_pattern::agreed(std::move(mine), with_destinations);
  if (how.method != plan_method::automatic) {
    std::unique_ptr<exchange<T>> by = co_await make_exchange<T>(pattern, how.method, how.tasks);
    co_return exchange_plan<T>(how.method, std::move(pattern), std::move(by));
  }
  plan_choice choice = co_await plan_choice::expect(exchange_load(*pattern, sizeof(T), how.tasks));
  std::unique_ptr<exchange<T>> by = co_await try_and_choose<T>(pattern, &choice, how.tasks);
  co_await choice.explain(*pattern, sizeof(T), where);
  co_return exchange_plan<T>(choice.best(), std::move(pattern), std::move(by));
}

}  // namespace data

// A plan for a vector of n elements, spread as the distribution's home(i, n, pes) says: a PE's own elements are in the
// order of their indices. `needed`: the index of each occurrence on this PE, of 32 or 64 bits, as often as it occurs;
// it is read before the task begins. Planned is which PE sends what to which, and where that will lie; and how, if that
// is left to be found out: then methods are tried, with elements whose values are those of T(). `where` is that of the
// call, for --tsubu-explain.
// Collective; blocks until all PEs have called it; an index that is not there, other sizes on other PEs, and fewer than
// one task end the job.
template <class T, class D, std::ranges::contiguous_range Needed>
task<exchange_plan<T>> plan_exchange(std::size_t n, D distribution, const Needed& needed, plan_options how = {},
                                     std::source_location where = std::source_location::current()) {
  static_assert(wire::plain<T> && sizeof(T) <= 240,
                "a plan is for elements that travel as their bytes, of 240 at most");
  require(how.tasks >= 1, "{} tasks are to read the elements of a plan", how.tasks);
  using index = std::ranges::range_value_t<Needed>;
  static_assert(std::same_as<index, std::int32_t> || std::same_as<index, std::int64_t>,
                "the indices that a plan is for are std::int32_t or std::int64_t");
  const data::vector_spread spread(n, distribution);
  return data::make_plan<T>(data::exchange_pattern(spread, std::span<const index>(needed)), how, where);
}

}  // namespace tsubu
