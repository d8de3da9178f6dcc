// Waiting for several tasks or futures at once:
//
//   auto both = co_await when_all(f(1), std::move(future_of_b));     // a tuple
//   std::vector<int> all = co_await when_all(std::move(tasks));
//   auto first = co_await when_any(std::move(futures));              // first.index, first.value
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tsubu/task/future.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace detail {

template <class T>
using no_void = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

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

// One argument of when_all and its result.
template <class Input>
class join_input;

template <class T>
class join_input<task<T>> {
 public:
  void start(task<T>& work, join& all) {
    all.one_more();
    detail::start(std::move(work), result_, all);
  }
  no_void<T> take() { return take_result<T>(result_); }

 private:
  outcome<T> result_;
};

template <class T>
class join_input<future<T>> {
 public:
  void start(future<T>& later, join& all) {
    require(later.valid(), "an empty future is given to when_all: it was moved from, or never made");
    future_ = &later;
    all.one_more();
    detail::start(until_ready(later), ended_, all);
  }
  no_void<T> take() { return take_result<T>(future_->state()->result); }

 private:
  static task<void> until_ready(future<T>& later) { co_await later; }

  future<T>* future_ = nullptr;
  outcome<void> ended_;  // what went wrong is in the future too
};

template <class Input>
struct is_join_input : std::false_type {};
template <class T>
struct is_join_input<task<T>> : std::true_type {};
template <class T>
struct is_join_input<future<T>> : std::true_type {};

template <class T>
using all_of_vector = std::conditional_t<std::is_void_v<T>, void, std::vector<no_void<T>>>;

}  // namespace detail

// Starts the tasks in order, each on this stack until it first waits, and waits until all have ended
// and the futures are ready. Gives a tuple of the results (std::monostate for void). If any failed,
// throws the exception of the first of them in argument order, once all have ended.
template <class... Inputs>
  requires(sizeof...(Inputs) > 0 && (detail::is_join_input<Inputs>::value && ...))
task<std::tuple<detail::no_void<typename Inputs::value_type>...>> when_all(Inputs... inputs) {
  std::tuple<detail::join_input<Inputs>...> slots;
  detail::join all;
  std::apply([&](auto&... slot) { (slot.start(inputs, all), ...); }, slots);
  co_await all;
  co_return std::apply(
      [](auto&... slot) { return std::tuple<detail::no_void<typename Inputs::value_type>...>{slot.take()...}; }, slots);
}

// The same for a vector, of any length. Gives a vector of the results, or nothing if they are void.
template <class Input>
  requires(detail::is_join_input<Input>::value)
task<detail::all_of_vector<typename Input::value_type>> when_all(std::vector<Input> inputs) {
  std::vector<detail::join_input<Input>> slots(inputs.size());
  detail::join all;
  for (std::size_t i = 0; i < inputs.size(); ++i) slots[i].start(inputs[i], all);
  co_await all;
  if constexpr (std::is_void_v<typename Input::value_type>) {
    for (auto& slot : slots) slot.take();
  } else {
    std::vector<typename Input::value_type> results;
    results.reserve(slots.size());
    for (auto& slot : slots) results.push_back(slot.take());
    co_return results;
  }
}

template <class T>
struct any_result {
  any_result(std::size_t which, detail::no_void<T> result, std::vector<future<T>> rest)
      : index(which), value(std::move(result)), others(std::move(rest)) {}

  std::size_t index;              // of the future that was ready first
  detail::no_void<T> value;       // what it came to
  std::vector<future<T>> others;  // all futures again, the one at `index` no longer valid
};

namespace detail {

template <class T>
class any_of final : private future_group {
 public:
  explicit any_of(std::vector<future<T>>& futures) : futures_(futures), record_("when_any", &futures) {}
  any_of(const any_of&) = delete;
  any_of& operator=(const any_of&) = delete;
  ~any_of() {
    if (record_.waiting()) forget_all();
  }

  bool await_ready() {
    for (std::size_t i = 0; i < futures_.size(); ++i) {
      require(futures_[i].valid(), "an empty future is given to when_any: it was moved from, or never made");
      if (futures_[i].ready()) {
        index_ = i;
        return true;
      }
    }
    return false;
  }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    record_.suspend(task, where);
    const auto self = reinterpret_cast<std::uintptr_t>(static_cast<future_group*>(this));
    waiters_ = std::vector<future_waiter>(futures_.size());
    for (std::size_t i = 0; i < futures_.size(); ++i) {
      waiters_[i].waiter = ready_item::from_word(self | future_waiter::in_group);
      futures_[i].state()->add(waiters_[i]);
    }
  }
  std::size_t await_resume() const { return index_; }

 private:
  void first(future_waiter& which) override {
    if (!record_.waiting()) return;  // another future of the same promise
    index_ = static_cast<std::size_t>(&which - waiters_.data());
    forget_all();
    record_.wake();
  }
  void forget_all() {
    for (std::size_t i = 0; i < futures_.size(); ++i) futures_[i].state()->remove(waiters_[i]);
  }

  std::vector<future<T>>& futures_;
  std::vector<future_waiter> waiters_;
  wait_record record_;
  std::size_t index_ = 0;
};

}  // namespace detail

// Waits until one of the futures is ready, and gives its index and value, or throws its exception. If
// several are ready at the start, the first in the vector. The others come back, and can be awaited.
template <class T>
task<any_result<T>> when_any(std::vector<future<T>> futures) {
  require(!futures.empty(), "when_any of no futures would wait for ever");
  detail::any_of<T> any(futures);
  const std::size_t index = co_await any;
  const future<T> chosen = std::move(futures[index]);
  co_return any_result<T>(index, detail::take_result<T>(chosen.state()->result), std::move(futures));
}

}  // namespace tsubu
