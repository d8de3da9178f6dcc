// The order in which the ready tasks of a PE run.
//
// The default is round-robin, is built into task_context, and costs nothing beyond its ring. Others
// are objects of this interface, chosen by name when the job starts:
//   "lifo"      the task made ready last runs first
//   "priority"  the highest priority first, in order of arrival among equals
// and the program's own, which it registers before the job starts:
//   register_scheduler("mine", [] { return std::unique_ptr<scheduler>(new my_scheduler); });
#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/task/group.hpp"

namespace tsubu {

class fiber;

// What a PE can run next, in one machine word: a suspended coroutine, a fiber (bit 0 set), or one of these that belongs
// to a group (bit 2 set). One is made from a task or fiber when it stops, in the group that it runs in, and run once.
// Local; does not block; throws nothing.
class ready_item {
 public:
  constexpr ready_item() = default;
  ready_item(std::coroutine_handle<> task) : word_(reinterpret_cast<std::uintptr_t>(task.address())) { join_group(); }
  explicit ready_item(fiber* stackful) : word_(reinterpret_cast<std::uintptr_t>(stackful) | 1) { join_group(); }
  // From the word that word() gives.
  static ready_item from_word(std::uintptr_t word) {
    ready_item item;
    item.word_ = word;
    return item;
  }

  // As one word.
  std::uintptr_t word() const { return word_; }
  explicit operator bool() const { return word_ != 0; }
  bool is_lone_task() const { return (word_ & 5) == 0; }  // no fiber, and in no group
  // Which of the two it is, and as that.
  bool is_fiber() const { return (word_ & 1) != 0; }
  fiber* as_fiber() const { return reinterpret_cast<fiber*>(word_ - 1); }
  std::coroutine_handle<> as_task() const {
    return std::coroutine_handle<>::from_address(reinterpret_cast<void*>(word_));
  }
  bool operator==(const ready_item&) const = default;

  // The item itself, whether or not it is in a group.
  ready_item ungrouped() const;
  // The item itself, which is in its group no longer. `group` is null if it was in none.
  ready_item leave_group(task_group*& group) const;

 private:
  void join_group() {
    if (this_task_group != nullptr) [[unlikely]]
      word_ = word_in_group(word_);
  }
  static std::uintptr_t word_in_group(std::uintptr_t word);

  std::uintptr_t word_ = 0;
};

// The order a PE's scheduler keeps. Every item given is given back exactly once.
// Local; must not block; nor throw.
class scheduler {
 public:
  struct choice {
    ready_item item;
    int priority;  // as it was given
  };

  virtual ~scheduler() = default;
  // One more that is ready.
  virtual void ready(ready_item item, int priority) = 0;
  virtual choice next() = 0;  // called only when not empty
  // Whether none is left.
  virtual bool empty() const = 0;
};

// What makes one.
using scheduler_factory = std::unique_ptr<scheduler> (*)();

// Gives a scheduler a name, in the whole process. Any thread; a name given again replaces the old one.
// Local; does not block; throws std::bad_alloc.
void register_scheduler(std::string_view name, scheduler_factory factory);

// A new scheduler of that name, one for each PE; null if no such name is registered.
// "round-robin" is the default of task_context and yields null as well: see is_default_scheduler().
// Local; does not block; gives null for a name that is none.
std::unique_ptr<scheduler> make_scheduler(std::string_view name);

// Whether this names the default one.
// Local; does not block; throws nothing.
inline bool is_default_scheduler(std::string_view name) { return name == "round-robin"; }

// All names, sorted, "round-robin" included: for messages about a wrong one.
// Local; does not block; throws std::bad_alloc.
std::vector<std::string> scheduler_names();

}  // namespace tsubu
