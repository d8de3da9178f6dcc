// Waiting for all of several:
//
//   const auto [a, b] = co_await when_all(f(1), at(3).now<g>(2));   // a tuple
//   std::vector<int> all = co_await when_all(std::move(tasks));
//
// Anything that can be awaited may be given, each of another type: tasks, futures, questions to PEs and objects,
// sleeps.
#pragma once

#include <coroutine>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/task/awaitable.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace detail {

// Counts what has been started and not ended; the parent waits for zero.
class join : public completion {
 public:
  join() : completion(completion_by<&one_ended>) {}
  join(const join&) = delete;
  join& operator=(const join&) = delete;

  void one_more() { ++running_; }

  bool await_ready() const { return running_ == 0; }
  void await_suspend(std::coroutine_handle<> parent) { parent_ = parent; }
  void await_resume() const {}

 private:
  static void one_ended(completion& self) noexcept {
    auto& all = static_cast<join&>(self);
    if (--all.running_ == 0 && all.parent_) this_task_context->ready(all.parent_);
  }

  int running_ = 0;
  ready_item parent_;
};

template <class T>
no_void<T> take_result(outcome<T>& from) {
  if constexpr (std::is_void_v<T>) {
    from.take();
    return {};
  } else {
    return from.take();
  }
}

// How an argument is kept while it is awaited: a temporary that cannot be moved lives as long as the expression that
// awaits it; an lvalue is the caller's.
template <class A>
using kept = std::conditional_t<std::is_lvalue_reference_v<A> || std::is_move_constructible_v<A>, A, A&&>;

// A task that awaits it; the task itself if it is one. A: as kept.
template <class A>
task<awaited_value<A>> await_one(A one) {
  co_return co_await static_cast<A&&>(one);
}
template <class A>
task<awaited_value<A>> as_task(A&& one) {
  if constexpr (std::is_same_v<A, task<awaited_value<A>>>)
    return std::move(one);
  else
    return await_one<A>(static_cast<A&&>(one));
}

// One argument of when_all and its result.
template <class A>
class join_input {
 public:
  void start(A&& one, join& all) {
    all.one_more();
    detail::start(as_task<A>(static_cast<A&&>(one)), result_, all);
  }
  no_void<awaited_value<A>> take() { return take_result(result_); }

 private:
  outcome<awaited_value<A>> result_;
};

template <class... A>
task<std::tuple<no_void<awaited_value<A>>...>> await_all(A... inputs) {
  std::tuple<join_input<A>...> slots;
  join all;
  std::apply([&](auto&... slot) { (slot.start(static_cast<A&&>(inputs), all), ...); }, slots);
  co_await all;
  co_return std::apply([](auto&... slot) { return std::tuple<no_void<awaited_value<A>>...>{slot.take()...}; }, slots);
}

template <class T>
using all_of_vector = std::conditional_t<std::is_void_v<T>, void, std::vector<no_void<T>>>;

}  // namespace detail

// Starts them in order, each on this stack until it first waits, and waits for all. Gives a tuple of what they came to
// (std::monostate for void). If any failed, throws the exception of the first of them in argument order, once all have
// ended. A temporary that cannot be moved, such as what at(pe).now() returns, is awaited in the same expression.
// Local; blocks until all have ended; throws the exception of the first that failed.
template <awaitable... A>
  requires(sizeof...(A) > 0)
auto when_all(A&&... inputs) {
  return detail::await_all<detail::kept<A>...>(std::forward<A>(inputs)...);
}

// The same for a vector, of any length. Gives a vector of what they came to, or nothing if that is void.
template <awaitable A>
task<detail::all_of_vector<awaited_value<A>>> when_all(std::vector<A> inputs) {
  std::vector<detail::join_input<A>> slots(inputs.size());
  detail::join all;
  for (std::size_t i = 0; i < inputs.size(); ++i) slots[i].start(std::move(inputs[i]), all);
  co_await all;
  if constexpr (std::is_void_v<awaited_value<A>>) {
    for (auto& slot : slots) slot.take();
  } else {
    std::vector<awaited_value<A>> results;
    results.reserve(slots.size());
    for (auto& slot : slots) results.push_back(slot.take());
    co_return results;
  }
}

}  // namespace tsubu
