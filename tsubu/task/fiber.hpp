// Fibers: tasks with a stack of their own, for plain functions that must wait.
//
// A coroutine is cheaper and shows its waits; use a fiber where the function that has to wait cannot
// be a coroutine: a callback of a library, a deep recursion, code that existed before.
//
//   double old_code(double x) { return x + wait(ask(3)); }     // waits like `co_await ask(3)`
//   double y = co_await run_fiber(old_code, 1.0);
//
// While a fiber waits, the other tasks of its PE run. Fibers share the PE's ready queue with
// coroutines, and never leave their PE. One that has not ended when its context is destroyed is
// abandoned: its stack is not unwound.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include "tsubu/task/awaitable.hpp"
#include "tsubu/task/oneshot.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// Stacks are mapped with a guard page below them and reused. In a program with a sanitizer they are four times
// larger.
inline constexpr std::size_t default_fiber_stack = 64 * 1024;

// Is the caller running in a fiber, so that it may wait()? False in a coroutine that a fiber started.
// Local; does not block; throws nothing.
inline bool in_fiber() noexcept;

// Puts the running fiber at the back of the ready queue. If the next ready task is a fiber too, jumps
// to it directly.
// Local; lets others run and does not block; outside a fiber it ends the job.
inline void fiber_yield();

namespace detail {

// What a jump between stacks brings, in two registers: where its other side stands (low word), and
// where to note that (high word). A struct would keep g++ from making the jump a tail call.
__extension__ using arrival = unsigned __int128;

// These end in the jump itself, so that it comes back right behind the call: the processor predicts
// that, whereas it would mispredict a return on another stack.
arrival jump_and_stay_ready();
arrival jump_and_wait();
inline void arrived(arrival at) {
  *reinterpret_cast<std::uintptr_t*>(static_cast<std::uintptr_t>(at >> 64)) = static_cast<std::uintptr_t>(at);
}

fiber* make_fiber(std::size_t stack_bytes, std::size_t callable_bytes, void (*body)(void* callable));
void* callable_of(fiber* made) noexcept;
fiber* running_fiber(const char* caller);

// Stops the running fiber until someone puts it into the ready queue.
inline void block_fiber() { arrived(jump_and_wait()); }

[[noreturn]] void fail_outside_fiber(const char* caller);

// The body of a fiber that runs an F, and ends it.
template <class F>
void run_in_fiber(void* callable) {
  F* const mine = static_cast<F*>(callable);
  struct destroy_at_end {
    F* callable;
    ~destroy_at_end() { callable->~F(); }
  } const guard{mine};
  (*mine)();
}

// Puts f into a fiber that was made with that body, and makes it ready.
template <class F>
void start_fiber(fiber* made, F f) {
  static_assert(alignof(F) <= 16, "the callable of a fiber may need an alignment of 16 at most");
  new (callable_of(made)) F(std::move(f));
  this_task_context->ready(ready_item(made));
}

}  // namespace detail

// Starts f() in a fiber; it first runs when its turn comes. An exception that leaves f goes to
// task_context::on_uncaught, which ends the job.
// Local; does not block; throws std::bad_alloc, and outside a job ends the process.
template <class F>
void spawn_fiber(F f, std::size_t stack_bytes = default_fiber_stack) {
  detail::start_fiber(detail::make_fiber(stack_bytes, sizeof(F), &detail::run_in_fiber<F>), std::move(f));
}

// Runs f(args...) in a fiber and waits for its result or exception: `co_await run_fiber(f, 1, 2)`.
// Local; blocks until f has ended; throws what f threw.
template <class F, class... Args>
task<std::invoke_result_t<F&, Args...>> run_fiber(F f, Args... args) {
  using result_type = std::invoke_result_t<F&, Args...>;
  oneshot<result_type> result(nullptr);  // a fiber that stops reports where it waits
  auto body = [&] {
    try {
      if constexpr (std::is_void_v<result_type>) {
        f(std::move(args)...);
        result.set_value();
      } else {
        result.set_value(f(std::move(args)...));
      }
    } catch (...) {
      result.set_exception(std::current_exception());
    }
  };
  spawn_fiber(body);
  co_return co_await result;
}

namespace detail {

// Awaits on behalf of a fiber, and reports the fiber's line.
template <class Awaiter>
class awaiter_at {
 public:
  awaiter_at(Awaiter& of, std::source_location where) : of_(of), where_(where) {}
  bool await_ready() { return of_.await_ready(); }
  template <class Promise>
  auto await_suspend(std::coroutine_handle<Promise> task) {
    if constexpr (requires { of_.await_suspend(task, where_); })
      return of_.await_suspend(task, where_);
    else
      return of_.await_suspend(task);
  }
  decltype(auto) await_resume() { return of_.await_resume(); }

 private:
  Awaiter& of_;
  std::source_location where_;
};

template <class T>
struct fiber_wait {
  outcome<T> result;
  ready_item blocked;
};

template <class T, class Awaiter>
task<void> await_for_fiber(Awaiter& awaiter, std::source_location where, fiber_wait<T>& wait) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await awaiter_at<Awaiter>(awaiter, where);
      wait.result.set_value();
    } else {
      wait.result.set_value(co_await awaiter_at<Awaiter>(awaiter, where));
    }
  } catch (...) {
    wait.result.set_exception(std::current_exception());
  }
  if (wait.blocked) this_task_context->ready(wait.blocked);
}

}  // namespace detail

// What `co_await awaitable` is in a coroutine: blocks the running fiber until it is done, gives its
// value or throws its exception. Only in a fiber.
// Local; blocks the running fiber until it is done; throws what awaiting would, and outside a fiber ends the job.
template <class A>
decltype(auto) wait(A&& awaitable, std::source_location where = std::source_location::current()) {
  fiber* const self = detail::running_fiber("wait()");
  auto&& awaiter = detail::awaiter_of(std::forward<A>(awaitable));
  using result_type = decltype(awaiter.await_resume());
  if constexpr (requires { awaiter.suspend(ready_item(self), where); }) {
    bool ready;
    {
      const no_fiber_scope guard;  // it may start a child on this stack
      ready = awaiter.await_ready();
    }
    if (!ready) {
      awaiter.suspend(ready_item(self), where);
      detail::block_fiber();
    }
    return static_cast<result_type>(awaiter.await_resume());
  } else {
    detail::fiber_wait<result_type> waiting;
    spawn(detail::await_for_fiber<result_type>(awaiter, where, waiting));
    if (!waiting.result.ready()) {
      waiting.blocked = ready_item(self);
      detail::block_fiber();
    }
    return static_cast<result_type>(waiting.result.take());
  }
}

inline void fiber_yield() {
  if (!in_fiber()) [[unlikely]]
    detail::fail_outside_fiber("fiber_yield()");
  detail::arrived(detail::jump_and_stay_ready());
}

inline bool in_fiber() noexcept { return this_task_context != nullptr && this_task_context->in_fiber(); }

}  // namespace tsubu
