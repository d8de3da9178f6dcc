// While a line of memory comes, others run: `co_await fetch(p)`, before a task reads what no cache holds.
//
// When many tasks do this, only so many should take turns that neither their frames nor what they have fetched
// leaves the cache before it is used. Whoever starts many tasks, one after the other, opens a fetch_group:
//
//   fetch_group turns;
//   for (packet p : packets) {
//     spawn(handle(p));
//     turns.make_room();    // lets the ones started before go on, the oldest first, until one of them has ended
//   }
//
// Tasks that fetch then wait in the group and not in the ready queue. What is left at its end goes there. Who opens a
// group does not wait before its end: no co_await, and no fiber that blocks.
#pragma once

#include <coroutine>
#include <cstdint>

#include "tsubu/base/check.hpp"
#include "tsubu/task/context.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu {

class fetch_group;

// The group that is open on this thread, or null.
inline thread_local constinit fetch_group* this_fetch_group = nullptr;

// Local; make_room() runs others and does not block; a task that waits while its group is open ends the job.
class fetch_group {
 public:
  // Tasks that take turns: what a core can have under way to memory, and some that compute meanwhile.
  static constexpr std::uint32_t width = 32;

  // Under a scheduler of the program's own the order is that scheduler's: no group is open.
  fetch_group() : outer_(this_fetch_group) { this_fetch_group = this_task_context->is_round_robin() ? this : nullptr; }
  fetch_group(const fetch_group&) = delete;
  fetch_group& operator=(const fetch_group&) = delete;
  ~fetch_group() {
    require(this_fetch_group == (this_task_context->is_round_robin() ? this : nullptr),
            "a task waits while its fetch_group is open");
    hand_over();
    this_fetch_group = outer_;
  }

  // False if `task` must go into the ready queue: there is no room, or it belongs to a task_group.
  [[gnu::always_inline]] bool add(std::coroutine_handle<> task) {
    if (last_ - first_ == most || this_task_group != nullptr) [[unlikely]]
      return false;
    ring_[last_++ % most] = task.address();
    return true;
  }

  // Resumes members until there are less than `width`.
  [[gnu::always_inline]] void make_room() {
    if (last_ - first_ >= width) resume_some();
  }

 private:
  // A task that was just started may have started others.
  static constexpr std::uint32_t most = 2 * width;
  // If nobody ends in so many turns of all, they may wait for somebody who is not in the group.
  static constexpr int most_resumes = 256 * width;

  void resume_some() {
    for (int i = 0; i < most_resumes; ++i) {
      oldest().resume();
      if (last_ - first_ < width) return;
    }
    hand_over();
  }
  void hand_over() {
    while (first_ != last_) this_task_context->ready(oldest());
  }
  std::coroutine_handle<> oldest() { return std::coroutine_handle<>::from_address(ring_[first_++ % most]); }

  fetch_group* outer_;
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
  void* ring_[most];  // left as it is: most groups are of one task that does not fetch
};

// Asks for the line at `address`, and lets others run meanwhile: those of the open group, or else the ready tasks. It
// is not a wait: the task stays ready. Worth its switch where the line would be waited for, and where many tasks do the
// same.
// Local; lets others run and does not block; throws nothing, for any address.
class [[nodiscard]] fetch {
 public:
  explicit fetch(const void* address) noexcept { __builtin_prefetch(address); }
  bool await_ready() const noexcept { return false; }
  [[gnu::always_inline]] void await_suspend(std::coroutine_handle<> task) const {
    if (fetch_group* open = this_fetch_group; open != nullptr && open->add(task)) return;
    this_task_context->ready(task);
  }
  void await_resume() const noexcept {}
};

}  // namespace tsubu
