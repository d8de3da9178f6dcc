// Lets the other ready tasks of this PE run: `co_await yield()`.
#pragma once

#include "tsubu/task/context.hpp"

namespace tsubu {

class yield_awaiter {
 public:
  constexpr yield_awaiter() noexcept {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> task) const { this_task_context->ready(task); }
  void await_resume() const noexcept {}
};

// Puts the running task at the back of the ready queue. It is not a wait: the task stays ready.
// Local; lets others run and does not block; throws nothing.
[[nodiscard]] inline yield_awaiter yield() noexcept { return yield_awaiter(); }

}  // namespace tsubu
