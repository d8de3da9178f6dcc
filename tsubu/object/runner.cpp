#include "tsubu/object/runner.hpp"

#include <exception>

#include "tsubu/task/context.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::objects {

struct runner::coroutine {
  struct promise_type {
    coroutine get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
  std::coroutine_handle<> handle;
};

runner::runner(bool (*work)(void* of), void* of) : work_(work), of_(of), coroutine_(run().handle) {}

runner::~runner() { coroutine_.destroy(); }

void runner::schedule() {
  if (scheduled_) return;
  scheduled_ = true;
  const task_group_scope in_none(nullptr);
  this_task_context->ready(coroutine_);
}

runner::coroutine runner::run() {
  for (;;) {
    const bool more = work_(of_);
    scheduled_ = false;
    if (more) schedule();
    co_await std::suspend_always();
  }
}

}  // namespace tsubu::objects
