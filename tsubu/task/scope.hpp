// Tasks that are awaited together:
//
//   scope all;
//   for (int i = 0; i < n; ++i) all.spawn(f(i));
//   co_await all.join();
//
// So no task outlives what it refers to. A scope must be joined before it is destroyed.
#pragma once

#include "tsubu/task/task.hpp"

namespace tsubu {

// Local; join() blocks until all have ended; throws the first exception, and one that is destroyed before it is
// joined ends the job.
class scope : private detail::completion {
 public:
  scope() : completion(detail::completion_by<&one_ended, &one_failed>) {}
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() { require(joined_, "a scope is destroyed before it is joined: co_await its join() first"); }

  // Starts a task at once, on this stack; it runs until it first waits.
  void spawn(task<void> work) {
    joined_ = false;
    ++running_;
    detail::start(std::move(work), *this);
  }

  // Waits until all have ended, also those spawned meanwhile. If any threw, throws the first
  // exception then. One task may join at a time; afterwards the scope can be used again.
  task<void> join();

  // How many have not ended.
  int running() const { return running_; }

 private:
  class all_ended {
   public:
    explicit all_ended(scope& of) : of_(of) {}
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> joiner) const {
      require(!of_.joiner_, "two tasks join one scope at a time");
      of_.joiner_ = joiner;
    }
    void await_resume() const {}

   private:
    scope& of_;
  };

  static void one_ended(completion& self) noexcept {
    scope& in = static_cast<scope&>(self);
    if (--in.running_ == 0 && in.joiner_) this_task_context->ready(std::exchange(in.joiner_, ready_item()));
  }
  static void one_failed(completion& self, std::exception_ptr error) noexcept {
    scope& in = static_cast<scope&>(self);
    if (in.first_error_ == nullptr) in.first_error_ = std::move(error);
  }

  int running_ = 0;
  bool joined_ = true;
  ready_item joiner_;
  std::exception_ptr first_error_;
};

}  // namespace tsubu
