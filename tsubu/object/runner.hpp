// Work that a PE does between its tasks, when it has been asked to.
//
// It stands in the PE's ready queue like a task: so tasks, messages and this take turns.
#pragma once

#include <coroutine>

namespace tsubu::objects {

class runner {
 public:
  // work(of) does a part of the work, and says whether there is more.
  runner(bool (*work)(void* of), void* of);
  ~runner();
  runner(const runner&) = delete;
  runner& operator=(const runner&) = delete;

  // There is work. It is done in no task group: what the work is for brings its own.
  void schedule();

 private:
  struct coroutine;
  coroutine run();

  // Constant after construction.
  bool (*work_)(void*);
  void* of_;
  std::coroutine_handle<> coroutine_;

  bool scheduled_ = false;  // it is in the ready queue, or at work
};

}  // namespace tsubu::objects
