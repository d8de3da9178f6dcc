// Runs a task to its end on this thread, without a job and without a network: for tests and tools.
#pragma once

#include "tsubu/task/task.hpp"

namespace tsubu {

namespace detail {

struct local_end : completion {
  local_end() : completion(completion_by<&ended>) {}
  static void ended(completion& self) noexcept { static_cast<local_end&>(self).done = true; }
  bool done = false;
};

// Runs until `done`. Sleeps until the next deadline when nothing is ready; fails, with a list of the
// waiting tasks, when nothing can ever become ready.
void run_until(task_context& context, const bool& done);

}  // namespace detail

// Returns what the task returns, or throws what it throws. Tasks that it spawned and that have not
// ended stay in the context, and run in its next run_local().
template <class T>
T run_local(task_context& context, task<T> work) {
  const task_context_scope current(context);
  outcome<T> result;
  detail::local_end end;
  detail::start(std::move(work), result, end);
  detail::run_until(context, end.done);
  return result.take();
}

// The same in a context of its own.
template <class T>
T run_local(task<T> work) {
  task_context context;
  return run_local(context, std::move(work));
}

}  // namespace tsubu
