// The tasks that wait for one that waits, for reports.
#pragma once

#include "tsubu/task/future.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/wait.hpp"

namespace tsubu::detail {

// Calls f(const promise_base&) for the task of that wait, for the one that awaits it, and so on, until f gives false.
// None where a fiber waits, or one of several futures is waited for; a task that is awaited by a when_all() is the
// last.
template <class F>
void for_each_that_waits(const wait_record& w, F f) {
  if ((w.waiter.word() & future_waiter::in_group) != 0) return;
  for (ready_item at = w.waiter.ungrouped(); at && !at.is_fiber();) {
    const auto& task = std::coroutine_handle<promise_base>::from_address(at.as_task().address()).promise();
    if (!f(task)) return;
    at = task.parent().ungrouped();
  }
}

}  // namespace tsubu::detail
