// A value that comes later, made by a promise: `future<int> f = p.get_future(); ... co_await f`.
//
// Several tasks may wait for one future; all go into the ready queue when it is set, in the order in
// which they began to wait. The state is shared between promise and future, counted and pooled. It
// stays on its PE: what comes from another PE arrives as a message that sets the promise.
#pragma once

#include <exception>
#include <utility>

#include "tsubu/base/pool.hpp"
#include "tsubu/task/context.hpp"
#include "tsubu/task/outcome.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// What awaiting a future throws when its promise was destroyed before it was set.
class broken_promise : public std::exception {
 public:
  const char* what() const noexcept override { return "broken promise: it was destroyed before it was set"; }
};

namespace detail {

// A wait for one of several futures: told which came first.
class future_group;

struct future_waiter : wait_record {
  explicit future_waiter(const void* state = nullptr) : wait_record("future", state) {}
  static constexpr std::uintptr_t in_group = 2;  // bit of `waiter`: it is a future_group
  future_waiter* next_waiter = nullptr;
};

class future_group {
 public:
  virtual void first(future_waiter& which) = 0;

 protected:
  ~future_group() = default;
};

class future_state_base {
 public:
  future_state_base() = default;
  future_state_base(const future_state_base&) = delete;
  future_state_base& operator=(const future_state_base&) = delete;

  void add(future_waiter& waiter) {
    (last_ != nullptr ? last_->next_waiter : first_) = &waiter;
    last_ = &waiter;
  }
  void remove(future_waiter& waiter);
  void wake_all() {
    future_waiter* at = std::exchange(first_, nullptr);
    last_ = nullptr;
    while (at != nullptr) {
      future_waiter* next = std::exchange(at->next_waiter, nullptr);
      if ((at->waiter.word() & future_waiter::in_group) != 0)
        reinterpret_cast<future_group*>(at->waiter.word() - future_waiter::in_group)->first(*at);
      else
        at->wake();
      at = next;
    }
  }

 protected:
  future_waiter* first_ = nullptr;
  future_waiter* last_ = nullptr;
  int references_ = 1;
};

template <class T>
class future_state final : public future_state_base {
 public:
  outcome<T> result;

  void refer() { ++references_; }
  void release() {
    if (--references_ == 0) delete_pooled(this);
  }
};

// Holds one reference to a state.
template <class T>
class state_ref {
 public:
  state_ref() noexcept = default;
  explicit state_ref(future_state<T>* adopted) noexcept : state_(adopted) {}
  state_ref(const state_ref& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) state_->refer();
  }
  state_ref(state_ref&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  state_ref& operator=(state_ref other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~state_ref() {
    if (state_ != nullptr) state_->release();
  }
  future_state<T>* operator->() const { return state_; }
  future_state<T>* get() const { return state_; }
  explicit operator bool() const { return state_ != nullptr; }

 private:
  future_state<T>* state_ = nullptr;
};

template <class T, bool take>
class future_awaiter {
 public:
  explicit future_awaiter(state_ref<T> state) : state_(std::move(state)), waiter_(state_.get()) {}
  future_awaiter(const future_awaiter&) = delete;
  future_awaiter& operator=(const future_awaiter&) = delete;
  ~future_awaiter() {
    if (waiter_.waiting()) state_->remove(waiter_);
  }

  bool await_ready() const { return state_->result.ready(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) {
    waiter_.suspend(who, where);
    state_->add(waiter_);
  }
  decltype(auto) await_resume() const {
    if constexpr (take)
      return state_->result.take();
    else
      return state_->result.get();
  }

 private:
  state_ref<T> state_;
  future_waiter waiter_;
};

}  // namespace detail

// Move-only. A default-made or moved-from future is not valid() and must not be awaited.
// Local; awaiting it blocks until it is set; throws what was set in place of a value, or broken_promise, and an
// empty one that is awaited ends the job.
template <class T>
class [[nodiscard]] future {
 public:
  using value_type = T;

  future() noexcept = default;
  explicit future(detail::state_ref<T> state) noexcept : state_(std::move(state)) {}
  future(future&&) noexcept = default;
  future& operator=(future&&) noexcept = default;

  // Whether it may be awaited.
  bool valid() const { return static_cast<bool>(state_); }

  // Has it a value or an exception? Then awaiting it does not suspend.
  bool ready() const { return state_ && state_->result.ready(); }

  // `co_await f` gives a const reference to the value, and may be repeated, by several tasks.
  detail::future_awaiter<T, false> operator co_await() & {
    check();
    return detail::future_awaiter<T, false>(state_);
  }
  // `co_await std::move(f)` moves the value out: nobody may await it after that.
  detail::future_awaiter<T, true> operator co_await() && {
    check();
    return detail::future_awaiter<T, true>(std::move(state_));
  }

  // The runtime's.
  const detail::state_ref<T>& state() const { return state_; }

 private:
  void check() const { require(valid(), "an empty future is awaited: it was moved from, or never made"); }

  detail::state_ref<T> state_;
};

// Move-only; set once. Destroyed before it was set, it makes the future throw broken_promise.
// Local; does not block; one that is empty or set twice ends the job.
template <class T>
class promise {
 public:
  promise() : state_(new_pooled<detail::future_state<T>>()) {}
  promise(promise&&) noexcept = default;
  promise& operator=(promise&& other) noexcept {
    break_unset();
    state_ = std::move(other.state_);
    return *this;
  }
  ~promise() { break_unset(); }

  // All of its futures share one value; usually one is taken.
  future<T> get_future() const { return future<T>(state_); }

  // Local. The waiting tasks go into the ready queue.
  template <class U>
    requires(!std::is_void_v<T>)
  void set_value(U&& value) const {
    check();
    state_->result.set_value(std::forward<U>(value));
    state_->wake_all();
  }
  void set_value() const
    requires(std::is_void_v<T>)
  {
    check();
    state_->result.set_value();
    state_->wake_all();
  }
  // In place of a value: awaiting the future throws it.
  void set_exception(std::exception_ptr error) const {
    check();
    state_->result.set_exception(std::move(error));
    state_->wake_all();
  }

 private:
  void check() const {
    require(static_cast<bool>(state_), "an empty promise is set: it was moved from");
    require(!state_->result.ready(), "a promise is set twice");
  }
  void break_unset() noexcept {
    if (state_ && !state_->result.ready()) set_exception(std::make_exception_ptr(broken_promise()));
  }

  detail::state_ref<T> state_;
};

inline void detail::future_state_base::remove(future_waiter& waiter) {
  future_waiter* before = nullptr;
  for (future_waiter* at = first_; at != nullptr; before = at, at = at->next_waiter) {
    if (at != &waiter) continue;
    (before != nullptr ? before->next_waiter : first_) = at->next_waiter;
    if (last_ == at) last_ = before;
    at->next_waiter = nullptr;
    return;
  }
}

namespace detail {
template <class T>
task<void> fulfil(task<T> work, promise<T> result) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(work);
      result.set_value();
    } else {
      result.set_value(co_await std::move(work));
    }
  } catch (...) {
    result.set_exception(std::current_exception());
  }
}
}  // namespace detail

// Starts a task now, and gives its result as a future: it runs on this stack until it first waits.
// Local; does not block; what the task throws is thrown when the future is awaited.
template <class T>
future<T> start(task<T> work) {
  promise<T> result;
  future<T> later = result.get_future();
  spawn(detail::fulfil(std::move(work), std::move(result)));
  return later;
}

}  // namespace tsubu
