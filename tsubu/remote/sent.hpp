// How a sender is held back by a full network: by awaiting what it has sent.
#pragma once

#include <coroutine>
#include <source_location>

#include "tsubu/base/types.hpp"
#include "tsubu/task/scheduler.hpp"

namespace tsubu::remote {

// What past() returns. Awaiting it is ready at once while there is room on the way to the destination,
// and holds the sender back while there is none; it does not wait for the message to be executed.
class sent {
 public:
  explicit sent(pe_id to) : to_(to) {}
  inline bool await_ready() const;  // in send.hpp, which whoever sends includes
  void await_suspend(std::coroutine_handle<> task) const;
  void suspend(ready_item who, std::source_location) const;
  void await_resume() const noexcept {}

 private:
  pe_id to_;
};

}  // namespace tsubu::remote
