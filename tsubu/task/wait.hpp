// A wait that only an event ends: for a reply, a value, a time; not for a child task, which has its own.
//
// A job that has stopped must be able to say who waits for what, and to put the waiter back where it was. So each wait
// has a record. It lives in the awaiter, thus in the waiting task's frame, and is in the context's list while it
// waits: this is what a deadlock report prints. An awaiter derives from it or holds it, calls suspend() in
// await_suspend, and whoever ends the wait calls wake():
//
//   void await_suspend(std::coroutine_handle<> h, std::source_location where = std::source_location::current()) {
//     record_.suspend(h, where);   // `where` is the line of the co_await
//   }
#pragma once

#include <source_location>

#include "tsubu/task/scheduler.hpp"

namespace tsubu {

struct wait_link {
  wait_link* prev = nullptr;
  wait_link* next = nullptr;  // null = not in a list

  bool linked() const { return next != nullptr; }
  void link_before(wait_link& after) {
    prev = after.prev;
    next = &after;
    after.prev->next = this;
    after.prev = this;
  }
  void unlink() {
    prev->next = next;
    next->prev = prev;
    next = nullptr;
  }
};

// Its two inline functions are in task/context.hpp, which every awaiter includes.
struct wait_record : wait_link {
  constexpr wait_record(const char* what_for, const void* which) : what(what_for), object(which) {}
  wait_record(const wait_record&) = delete;
  wait_record& operator=(const wait_record&) = delete;
  ~wait_record() {
    if (waiting()) unlink();
  }

  bool waiting() const { return linked(); }

  // Local: enters the list of the current context.
  inline void suspend(ready_item who, std::source_location from);

  // Leaves the list and puts the waiter into the ready queue, where it keeps its priority.
  inline void wake();

  const char* what;  // "future", "sync", ..: text that outlives the wait; null: who is waited for reports its own wait
  const void* object;  // which one; may be null
  std::source_location where;
  ready_item waiter;
  int priority = 0;
};

}  // namespace tsubu
