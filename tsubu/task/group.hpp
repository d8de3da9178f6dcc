// Tasks of a PE that belong together, and are counted while they wait.
//
// A task belongs to the group in which it was started, and so do its children, the fibers and tasks that it spawns, and
// all of these again after each of their waits. Most tasks belong to none, and pay a test of one pointer when they
// wait.
//
// A suspended member is known by its place in whatever it waits for: its ready_item, which names the group as well. So
// nothing has to be kept in frames, and no awaiter has to know of groups.
#pragma once

#include <cstdint>

#include "tsubu/base/send_bound.hpp"

namespace tsubu {

struct task_group {
  // Members that are suspended or queued. If it is 0 while none runs, all have ended.
  std::uint64_t waiting = 0;
  // Called when a member that was resumed has stopped again, by a wait or by its end, and `waiting` is 0.
  void (*settled)(task_group& self) noexcept;
};

// The group of the code that runs on this thread now; null for most.
inline thread_local constinit task_group* this_task_group = nullptr;

// From now on code of that group runs.
inline void set_task_group(task_group* group) {
  this_task_group = group;
  set_send_bound(group != nullptr);
}

// What runs while this object lives belongs to `group`. Not to be kept across a wait.
class task_group_scope {
 public:
  explicit task_group_scope(task_group* group) : before_(this_task_group) { set_task_group(group); }
  task_group_scope(const task_group_scope&) = delete;
  task_group_scope& operator=(const task_group_scope&) = delete;
  ~task_group_scope() { set_task_group(before_); }

 private:
  task_group* before_;
};

}  // namespace tsubu
