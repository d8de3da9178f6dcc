// Coroutine tasks: `task<int> f(long x) { ... co_return 1; }`, started and awaited by `co_await f(2)`.
//
// A task does nothing until it is awaited. Then it starts at once, on the stack of the one that
// awaits it; if it ends without waiting, the parent has not been suspended and the await costs
// little more than a call. If it waits, the parent waits too, and the child's end puts the parent
// into the ready queue: no chain of tasks grows the stack, however long, in any build. (When children
// nest so deeply that the stack gets low, they start from the ready queue.)
//
// A task is owned by the `task` object, then by whoever awaits it. spawn() starts one that nobody
// awaits; a scope starts many that are awaited together.
//
// Parameters should be values: a reference parameter dangles once its caller has gone on. A lambda
// that is a coroutine should capture nothing, for the same reason.
//
// g++ 12 destroys some awaited temporaries twice. In `co_await f(...)`, name what owns memory and is an
// aggregate or a capturing lambda, then move it in; and never await a `?:` of two tasks
// (tests/compiler_shapes.cpp has the list).
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "tsubu/base/pool.hpp"
#include "tsubu/base/stack_pointer.hpp"
#include "tsubu/task/context.hpp"
#include "tsubu/task/outcome.hpp"

namespace tsubu {

template <class T = void>
class task;

namespace detail {

// Who is told when a task ends that nothing awaits as a coroutine or fiber does.
struct completion;
struct completion_actions {
  void (*completed)(completion& self) noexcept;
  void (*failed)(completion& self,
                 std::exception_ptr error) noexcept;  // before `completed`, if nobody keeps the outcome
  const void* about = nullptr;                        // what reports know of an object_completion; null for all others
};
template <auto Completed, auto Failed = nullptr>
inline constexpr completion_actions completion_by{Completed, Failed, nullptr};

struct completion {
  explicit completion(const completion_actions& how) : actions(&how) {}
  const completion_actions* actions;
};
// The completion of what an object does. It needs no memory of its own: the task keeps its two words.
struct object_completion : completion {
  object_completion(const completion_actions& how, void* whose) : completion(how), object(whose) {}
  void* object;
};

// Whoever awaits a task keeps its outcome, and is readied when the task ends; the task then frees
// itself. So a child that ends on its parent's stack is no more than a call that took a frame.
class promise_base {
 public:
  static void* operator new(std::size_t bytes) { return this_pool.allocate(bytes); }
  static void operator delete(void* at, std::size_t bytes) noexcept { this_pool.free(at, bytes); }

  std::suspend_always initial_suspend() const noexcept { return {}; }
  // A task never stops at its end: it tells, and frees itself.
  std::suspend_never final_suspend() const noexcept {
    if (then_ != 0) [[unlikely]]  // else it has ended on its parent's stack, or nobody is told
      complete();
    return {};
  }

  void then(ready_item parent) { then_ = parent.word(); }
  void then(completion& end) { then_ = reinterpret_cast<std::uintptr_t>(&end) | is_completion; }

  // Who is told of the end of this task, for reports: another task, and where that awaits it, or an object that they
  // know about.
  ready_item parent() const { return ready_item::from_word((then_ & is_completion) == 0 ? then_ : 0); }
  std::source_location awaited_at() const { return detail::line_kept_in(outcome_or_object_); }
  std::optional<object_completion> object_told() const {
    if ((then_ & is_completion) == 0) return {};
    if (is_told_to_object()) return object_completion(actions_of(then_), outcome_or_object_);
    const auto* const end = reinterpret_cast<const completion*>(then_ - is_completion);
    if (end->actions->about == nullptr) return {};
    return *static_cast<const object_completion*>(end);
  }

 protected:
  // Nobody keeps the outcome.
  [[gnu::cold]] void report_failure(std::exception_ptr error) const noexcept;
  void then_object(const completion_actions& how, void* object) {
    then_ = reinterpret_cast<std::uintptr_t>(&how) | is_object_completion;
    outcome_or_object_ = object;
  }
  bool keeps_no_outcome() const { return outcome_or_object_ == nullptr || is_told_to_object(); }

  void* outcome_or_object_;  // who keeps the outcome; where an object is told of the end, that object

 private:
  void complete() const noexcept;
  template <class F>
  void with_completion(F f) const;
  bool is_told_to_object() const { return (then_ & is_object_completion) == is_object_completion; }
  static const completion_actions& actions_of(std::uintptr_t then) {
    return *reinterpret_cast<const completion_actions*>(then - is_object_completion);
  }

  static constexpr std::uintptr_t is_completion = 2;
  static constexpr std::uintptr_t is_object_completion = 3;
  // 0 = nobody yet; a ready_item = the parent; with bit 1 set a completion; with bit 0 too, the actions of an
  // object_completion, whose object is the word above.
  std::uintptr_t then_ = 0;
};

template <class T>
class task_promise final : public promise_base {
 public:
  task<T> get_return_object() noexcept;
  void unhandled_exception() noexcept { result()->set_exception(std::current_exception()); }
  template <class U = T>
  void return_value(U&& value) {
    result()->set_value(std::forward<U>(value));
  }
  void keep_in(outcome<T>& to) { outcome_or_object_ = &to; }

 private:
  outcome<T>* result() const { return static_cast<outcome<T>*>(outcome_or_object_); }
};

template <>
class task_promise<void> final : public promise_base {
 public:
  task_promise() { outcome_or_object_ = nullptr; }  // unless somebody says so, nobody keeps the outcome
  task<void> get_return_object() noexcept;
  void unhandled_exception() noexcept {
    if (keeps_no_outcome())
      report_failure(std::current_exception());
    else
      result()->set_exception(std::current_exception());
  }
  void return_void() {
    if (!keeps_no_outcome()) result()->set_value();
  }
  void keep_in(outcome<void>& to) { outcome_or_object_ = &to; }
  // Nobody keeps the outcome any more; `object` is told of the end.
  void complete_to(const completion_actions& how, void* object) { then_object(how, object); }

 private:
  outcome<void>* result() const { return static_cast<outcome<void>*>(outcome_or_object_); }
};

// Runs a task on the caller's stack until it first waits, or queues it when the stack is low.
[[gnu::always_inline]] inline void start_inline(std::coroutine_handle<> task) {
  if (stack_pointer() < this_stack_limit) [[unlikely]]
    start_from_queue(task);
  else
    task.resume();
}

}  // namespace detail

// Move-only. Destroying a task that has not started frees it; one that waits must not be destroyed.
// Local; awaiting it blocks until it has ended; throws its exception, and an empty one that is awaited ends the
// job.
template <class T>
class [[nodiscard]] task {
 public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;
  using handle = std::coroutine_handle<promise_type>;

  constexpr task() noexcept = default;
  explicit task(handle coroutine) noexcept : coroutine_(coroutine) {}
  task(task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task& operator=(task&& other) noexcept {
    if (this != &other) {
      if (coroutine_) coroutine_.destroy();
      coroutine_ = std::exchange(other.coroutine_, nullptr);
    }
    return *this;
  }
  ~task() {
    if (coroutine_) coroutine_.destroy();
  }

  class awaiter {
   public:
    explicit awaiter(handle child) noexcept : child_(child) {}
    awaiter(const awaiter&) = delete;
    awaiter& operator=(const awaiter&) = delete;
    ~awaiter() {
      if (!result_.ready()) [[unlikely]]
        child_.destroy();
    }

    bool await_ready() {
      child_.promise().keep_in(result_);
      detail::start_inline(child_);
      return result_.ready();
    }
    void await_suspend(std::coroutine_handle<> parent, std::source_location where = std::source_location::current()) {
      suspend(parent, where);
    }
    void suspend(ready_item parent, std::source_location where) {
      result_.awaited_at(where);
      child_.promise().then(parent);
    }
    T await_resume() { return result_.take(); }

   private:
    handle child_;
    outcome<T> result_;
  };

  // `co_await f(x)` or `co_await std::move(t)`, once: starts the task, gives its value or throws its
  // exception. The waiting parent resumes from the ready queue.
  awaiter operator co_await() && {
    require(static_cast<bool>(coroutine_),
            "an empty task is awaited: it was awaited before, moved from, or never made");
    return awaiter(release());
  }

  // Hands over the coroutine, and who takes it destroys it.
  handle release() noexcept { return std::exchange(coroutine_, nullptr); }
  explicit operator bool() const noexcept { return coroutine_ != nullptr; }

 private:
  handle coroutine_;
};

template <class T>
task<T> detail::task_promise<T>::get_return_object() noexcept {
  return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}

inline task<void> detail::task_promise<void>::get_return_object() noexcept {
  return task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}

namespace detail {

// Starts a task whose end is told to `end`, which must outlive it.
inline void start(task<void> work, completion& end) {
  require(static_cast<bool>(work), "an empty task is started: it was awaited before, moved from, or never made");
  const no_fiber_scope guard;
  const auto coroutine = work.release();
  coroutine.promise().then(end);
  start_inline(coroutine);
}

// The same; `result` keeps its outcome, and must outlive it too.
template <class T>
void start(task<T> work, outcome<T>& result, completion& end) {
  require(static_cast<bool>(work), "an empty task is started: it was awaited before, moved from, or never made");
  const no_fiber_scope guard;
  const auto coroutine = work.release();
  coroutine.promise().keep_in(result);
  coroutine.promise().then(end);
  start_inline(coroutine);
}

// spawn() by code that no fiber runs: a handler.
[[gnu::always_inline]] inline void spawn_outside_fibers(task<void> work) {
  require(static_cast<bool>(work), "an empty task is started: it was awaited before, moved from, or never made");
  start_inline(work.release());
}

}  // namespace detail

// Starts a task that nobody awaits: it runs at once until it first waits, and frees itself at its end.
// An exception that leaves it goes to task_context::on_uncaught, which ends the job.
// Local; does not block; an exception that leaves the task goes to on_past_exception(), which by default ends the
// job.
inline void spawn(task<void> work) {
  const no_fiber_scope guard;
  detail::spawn_outside_fibers(std::move(work));
}

}  // namespace tsubu
