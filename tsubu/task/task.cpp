// The end of a task that is told to somebody. Not in the header: where g++ 16 sees completions of other kinds beside
// this, it tries them on the object_completion made here, and warns of their members, which that does not have.
#include "tsubu/task/task.hpp"

#include <utility>

namespace tsubu::detail {

template <class F>
void promise_base::with_completion(F f) const {
  if (is_told_to_object()) {
    object_completion end(actions_of(then_), outcome_or_object_);
    f(end);
  } else {
    f(*reinterpret_cast<completion*>(then_ - is_completion));
  }
}

void promise_base::complete() const noexcept {
  if ((then_ & is_completion) == 0) [[likely]] {
    this_task_context->ready(ready_item::from_word(then_));
  } else {
    with_completion([](completion& end) { end.actions->completed(end); });
  }
}

void promise_base::report_failure(std::exception_ptr error) const noexcept {
  if (then_ == 0) return this_task_context->on_uncaught(std::move(error));
  with_completion([&error](completion& end) { end.actions->failed(end, std::move(error)); });
}

}  // namespace tsubu::detail
