#include "tsubu/task/run_local.hpp"

#include <string>
#include <thread>

namespace tsubu {

namespace {

[[noreturn]] void fail_deadlocked(const task_context& context) {
  std::string text = "deadlock: nothing is ready and no timer runs, but the task has not ended; waiting are";
  context.for_each_waiting([&](const wait_record& record) {
    text += "\n  ";
    text += record.what;
    text += " at ";
    text += record.where.file_name();
    text += ':' + std::to_string(record.where.line());
  });
  fail(text);
}

}  // namespace

void detail::run_until(task_context& context, const bool& done) {
  while (!done) {
    if (context.run_some(1024) > 0) {
      if (context.next_deadline_ns() != task_context::no_deadline) context.run_timers(context.now());
      continue;
    }
    const std::int64_t deadline = context.next_deadline_ns();
    if (deadline == task_context::no_deadline) fail_deadlocked(context);
    if (const std::int64_t ns = deadline - context.now(); ns > 0)
      std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
    context.run_timers(context.now());
  }
}

}  // namespace tsubu
