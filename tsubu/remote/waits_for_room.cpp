#include "tsubu/remote/waits_for_room.hpp"

#include <cstddef>

namespace tsubu::remote {

void waits_for_room::add(pe_id to, ready_item task) { waiters_.push_back({to, task}); }

bool waits_for_room::resume(message::endpoint& messages, task_context& tasks) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiters_.size(); ++i) {
    const waiter w = waiters_[i];
    if (messages.has_turn(w.to)) {
      tasks.ready(w.task);
    } else {
      waiters_[kept++] = w;
    }
  }
  const bool any = kept < waiters_.size();
  waiters_.resize(kept);
  return any;
}

}  // namespace tsubu::remote
