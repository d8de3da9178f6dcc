// What tasks await of the outside, one after the other: bytes, connections, signals.
#pragma once

#include <coroutine>
#include <memory>
#include <source_location>
#include <utility>

#include "tsubu/task/context.hpp"

namespace tsubu::outside::detail {

// The next of what a State brings. One task at a time waits for it. A State has
//
//   static constexpr const char* brings;   // for reports
//   bool ready() const;                    // take() would not have to wait
//   void wait(wait_record& who);           // wakes who when it is ready
//   void give_up();                        // nobody waits any more
//   Next take();
//
// and is known to the source that has `template class awaiter<State, Next>;`, behind awaiter_methods.hpp.
template <class State, class Next>
class [[nodiscard]] awaiter {
 public:
  explicit awaiter(std::shared_ptr<State> of);
  awaiter(const awaiter&) = delete;
  awaiter& operator=(const awaiter&) = delete;
  ~awaiter();
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where);
  Next await_resume();

 private:
  std::shared_ptr<State> of_;
  wait_record record_;
};

}  // namespace tsubu::outside::detail
