// How a sender is held back by a full network, by awaiting what it has sent; and how it lets go what is gathered.
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

namespace tsubu {

// `co_await room_everywhere()`: ready at once while there is room on the way to every PE that was sent to,
// and holds the sender back while there is none. For loops that send to many PEs before they await.
// Local; blocks while there is no room on the way to a PE that was sent to; throws nothing.
class room_everywhere {
 public:
  room_everywhere() = default;
  inline bool await_ready() const;  // in send.hpp, too
  void await_suspend(std::coroutine_handle<> task) const;
  void suspend(ready_item who, std::source_location) const;
  void await_resume() const noexcept {}
};

// Sends what this PE has gathered. That happens by itself when the PE waits, so only a task that is going to compute
// for long without waiting, while other PEs need its messages, has to ask for it.
// Local; does not block; throws nothing.
void flush();

}  // namespace tsubu
