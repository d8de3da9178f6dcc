// Tasks that wait until there is room to send.
#pragma once

#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu::remote {

class waits_for_room {
 public:
  // Resumes `task` when there is room to send to `to`, or, if that is no_pe, to all.
  void add(pe_id to, ready_item task);
  bool empty() const { return waiters_.empty(); }
  // Makes those ready for which there is room now, in the order in which they came. False if there were none.
  bool resume(message::endpoint& messages, task_context& tasks);

 private:
  struct waiter {
    pe_id to;
    ready_item task;
  };
  std::vector<waiter> waiters_;
};

}  // namespace tsubu::remote
