// Waits for time to pass: `co_await sleep_for(2ms)`.
#pragma once

#include <chrono>

#include "tsubu/task/context.hpp"

namespace tsubu {

class sleep_awaiter {
 public:
  explicit sleep_awaiter(std::int64_t ns) : record_("sleep", nullptr) {
    record_.waiter = ready_item::from_word(static_cast<std::uintptr_t>(ns));
  }
  ~sleep_awaiter() {
    if (record_.waiting()) this_task_context->remove_timer(record_);
  }
  bool await_ready() const { return ns() <= 0; }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) {
    const std::int64_t deadline_ns = this_task_context->deadline_in(ns());
    record_.suspend(who, where);
    this_task_context->add_timer(deadline_ns, record_);
  }
  void await_resume() const {}

 private:
  // Until it waits, the place for the waiter holds the time: every word counts in a task's frame.
  std::int64_t ns() const { return static_cast<std::int64_t>(record_.waiter.word()); }

  wait_record record_;
};

// Suspends the task for at least this long, by the clock of its context: in a simulator, simulated
// time. At once if the time is not positive.
// Local; blocks until the time is over; throws nothing.
[[nodiscard]] inline sleep_awaiter sleep_for(std::chrono::nanoseconds time) { return sleep_awaiter(time.count()); }

}  // namespace tsubu
