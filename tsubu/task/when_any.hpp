// Waiting for the first of several, or no longer than some time:
//
//   auto first = co_await when_any(ask_here(x), at(3).future<g>(x));    // a variant: std::get<0>(first)
//   auto one = co_await when_any(std::move(futures));                   // one.index, one.value, one.others
//   std::optional<int> n = co_await within(2ms, at(3).future<g>(x));    // empty when the time is up
//
// The others go on. What they come to is dropped, an exception too; futures of a vector come back instead.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tsubu/task/awaitable.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/when_all.hpp"

namespace tsubu {

namespace detail {

// Waits until one of several futures is ready, and gives its index: or `none` if a time has passed before.
class first_of final : private future_group {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::int64_t no_limit = -1;

  // ready: one that has come already, or none. what: shown while a task waits.
  first_of(std::span<future_state_base* const> states, std::size_t ready, std::int64_t limit_ns = no_limit,
           const char* what = "when_any")
      : states_(states), index_(ready), limit_ns_(limit_ns), record_(what, this) {}
  first_of(const first_of&) = delete;
  first_of& operator=(const first_of&) = delete;
  ~first_of() {
    if (record_.waiting()) withdraw();
  }

  bool await_ready() const { return index_ != none || limit_ns_ == 0; }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    record_.suspend(task, where);
    const auto self = reinterpret_cast<std::uintptr_t>(static_cast<future_group*>(this));
    waiters_ = std::vector<future_waiter>(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
      waiters_[i].waiter = ready_item::from_word(self | future_waiter::in_group);
      states_[i]->add(waiters_[i]);
    }
    // The same wait: whichever comes first ends it.
    if (limit_ns_ > 0) this_task_context->add_timer(this_task_context->deadline_in(limit_ns_), record_);
  }
  std::size_t await_resume() {
    if (index_ == none && !waiters_.empty()) forget_all();
    return index_;
  }

 private:
  void first(future_waiter& which) override {
    if (!record_.waiting()) return;  // the time was up, or another future of the same promise
    index_ = static_cast<std::size_t>(&which - waiters_.data());
    withdraw();
    record_.wake();
  }
  void withdraw() {
    forget_all();
    if (limit_ns_ > 0) this_task_context->remove_timer(record_);
  }
  void forget_all() {
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i]->remove(waiters_[i]);
  }

  std::span<future_state_base* const> states_;
  std::vector<future_waiter> waiters_;
  std::size_t index_;
  std::int64_t limit_ns_;
  wait_record record_;
};

template <class A>
constexpr void check_can_go_on() {
  static_assert(
      std::is_move_constructible_v<std::remove_reference_t<A>> && !std::is_lvalue_reference_v<A>,
      "what may go on after the wait is moved in: future() rather than now(), std::move(f) rather than f; for a "
      "time, within()");
}

// Starts what is no future yet.
template <class T>
future<T> as_future(future<T> later) {
  require(later.valid(), "an empty future is given to when_any or within: it was moved from, or never made");
  return later;
}
template <class A>
future<awaited_value<A>> as_future(A work) {
  return start(as_task<A>(std::move(work)));
}

template <class... A>
task<std::variant<no_void<awaited_value<A>>...>> await_any(A... inputs) {
  std::tuple<future<awaited_value<A>>...> later{as_future(std::move(inputs))...};  // in order
  const auto look = [](const future<awaited_value<A>>&... f) {
    return std::pair(std::array<future_state_base*, sizeof...(A)>{f.state().get()...}, std::array{f.ready()...});
  };
  const auto [states, ready] = std::apply(look, later);
  const auto first = static_cast<std::size_t>(std::find(ready.begin(), ready.end(), true) - ready.begin());
  first_of any(states, first < ready.size() ? first : first_of::none);
  const std::size_t which = co_await any;
  std::optional<std::variant<no_void<awaited_value<A>>...>> value;
  const auto take = [&]<std::size_t... I>(std::index_sequence<I...>) {
    (void)((I == which &&
            (value.emplace(std::in_place_index<I>, take_result(std::get<I>(later).state()->result)), true)) ||
           ...);
  };
  take(std::index_sequence_for<A...>());
  co_return std::move(*value);
}

template <class A>
task<std::optional<no_void<awaited_value<A>>>> await_within(std::int64_t limit_ns, A work) {
  const future<awaited_value<A>> later = as_future(std::move(work));
  future_state_base* const state = later.state().get();
  first_of any(std::span(&state, 1), later.ready() ? 0 : first_of::none, limit_ns, "within");
  co_await any;
  if (!later.ready()) co_return std::nullopt;
  co_return take_result(later.state()->result);
}

}  // namespace detail

// Starts them in order, and waits until one has ended. Gives its value as a variant whose index() is that of the
// argument (std::monostate for void), or throws its exception. If several have ended at the start, the first of them.
// Each is moved in: tasks, futures, questions to objects; of a question to a PE the future.
// Local; blocks until the first has ended; throws its exception.
template <awaitable... A>
  requires(sizeof...(A) > 1)
auto when_any(A&&... inputs) {
  (detail::check_can_go_on<A>(), ...);
  return detail::await_any<A...>(std::move(inputs)...);
}

// What when_any() of a vector of futures gives.
// Local; does not block; throws nothing.
template <class T>
struct any_result {
  any_result(std::size_t which, detail::no_void<T> result, std::vector<future<T>> rest)
      : index(which), value(std::move(result)), others(std::move(rest)) {}

  std::size_t index;              // of the future that was ready first
  detail::no_void<T> value;       // what it came to
  std::vector<future<T>> others;  // all futures again, the one at `index` no longer valid
};

// Waits until one of the futures is ready, and gives its index and value, or throws its exception. If
// several are ready at the start, the first in the vector. The others come back, and can be awaited.
// Local; blocks until one is ready; throws its exception, and no futures, or an empty one, end the job.
template <class T>
task<any_result<T>> when_any(std::vector<future<T>> futures) {
  require(!futures.empty(), "when_any of no futures would wait for ever");
  std::vector<detail::future_state_base*> states;
  std::size_t ready = detail::first_of::none;
  for (const future<T>& f : futures) {
    require(f.valid(), "an empty future is given to when_any: it was moved from, or never made");
    if (f.ready() && ready == detail::first_of::none) ready = states.size();
    states.push_back(f.state().get());
  }
  detail::first_of any(states, ready);
  const std::size_t index = co_await any;
  const future<T> chosen = std::move(futures[index]);
  co_return any_result<T>(index, detail::take_result(chosen.state()->result), std::move(futures));
}

// Waits no longer than so long, by the clock of the PE. Gives the value (std::monostate for void), or nothing if the
// time was up; then it goes on, and what it comes to is dropped. Throws its exception if that came in time.
// Local; blocks until it has ended, or the time is up; throws its exception if that came in time.
template <awaitable A>
auto within(std::chrono::nanoseconds time, A&& work) {
  detail::check_can_go_on<A>();
  return detail::await_within<A>(std::max<std::int64_t>(time.count(), 0), std::move(work));
}

}  // namespace tsubu
