// A place for one value that comes later, for one task that waits for it: what a reply arrives in.
//
//   oneshot<int> answer("a reply");
//   ask(&answer);                 // someone calls answer.set_value(42), now or later
//   int n = co_await answer;
//
// It allocates nothing and cannot move, so it can live in the waiting task's frame. It must outlive
// the set_value() that fills it.
#pragma once

#include "tsubu/task/context.hpp"
#include "tsubu/task/outcome.hpp"

namespace tsubu {

// T is a value, a reference or void.
// Local; awaiting it blocks until it is set; throws what was set in place of a value, and ends the job when set
// twice or awaited by two tasks.
template <class T>
class oneshot {
 public:
  // `what` and `object` are shown while a task waits: text that outlives the wait, and which one.
  explicit oneshot(const char* what = "oneshot", const void* object = nullptr) : record_(what, object) {}

  // Local: at most one of these, once. The waiter goes into the ready queue and resumes from there.
  template <class U>
    requires(!std::is_void_v<T>)
  void set_value(U&& value) {
    check_unset();
    result_.set_value(std::forward<U>(value));
    if (record_.waiting()) record_.wake();
  }
  void set_value()
    requires(std::is_void_v<T>)
  {
    check_unset();
    result_.set_value();
    if (record_.waiting()) record_.wake();
  }
  // In place of a value: awaiting it throws this.
  void set_exception(std::exception_ptr error) {
    check_unset();
    result_.set_exception(std::move(error));
    if (record_.waiting()) record_.wake();
  }

  // Whether it is set; whether a task waits for it.
  bool ready() const { return result_.ready(); }
  bool awaited() const { return record_.waiting(); }

  bool await_ready() const { return result_.ready(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) {
    require(!record_.waiting(), "two tasks wait for one oneshot");
    record_.suspend(who, where);
  }
  // Moves the value out, or throws the exception.
  T await_resume() { return result_.take(); }

 private:
  void check_unset() const { require(!result_.ready(), "a oneshot is set twice"); }

  wait_record record_;
  outcome<T> result_;
};

}  // namespace tsubu
