// The tasks of one PE: which are ready to run, which wait and for what, and which sleep until when.
//
// A PE runs its tasks by calling run_some() again and again. One task runs at a time and keeps the PE
// until it waits, yields or ends: nothing preempts it. Waking a task never runs it on the spot, it
// goes to the back of the ready queue; so neither a chain of completions nor a loop of them grows
// the stack.
//
// Not thread-safe: a context belongs to the thread that runs it. Several contexts may take turns on
// one thread (a simulator does that); task_context_scope says whose turn it is.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/owned.hpp"
#include "tsubu/task/ready_queue.hpp"
#include "tsubu/task/scheduler.hpp"
#include "tsubu/task/wait.hpp"

namespace tsubu {

class task_context;

// The context whose turn it is on this thread; null outside a PE.
inline thread_local constinit task_context* this_task_context = nullptr;

// Below this address the running stack is too deep to start a child task on top of it. Outside a PE no
// stack is deep enough, so that one test finds both.
inline thread_local constinit std::uintptr_t this_stack_limit = std::numeric_limits<std::uintptr_t>::max();

namespace detail {

// Says that a run_some() is under way, and refuses a second one inside it.
class running_scope {
 public:
  explicit running_scope(bool& running) : running_(running) {
    require(!running, "run_some() is called by a task that run_some() runs");
    running_ = true;
  }
  ~running_scope() { running_ = false; }
  running_scope(const running_scope&) = delete;
  running_scope& operator=(const running_scope&) = delete;

 private:
  bool& running_;
};

}  // namespace detail

class task_context {
 public:
  // Tasks that start a child on their own stack do so until the PE's stack has grown by this much;
  // deeper children start from the ready queue.
  static constexpr std::size_t nested_stack_bytes = 256 * 1024;
  static constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

  task_context();
  ~task_context();  // local; tasks that still wait are abandoned, not destroyed
  task_context(const task_context&) = delete;
  task_context& operator=(const task_context&) = delete;

  // --- the ready queue -----------------------------------------------------------------------

  // Puts a suspended task or fiber into the ready queue, with the priority of the running one.
  void ready(ready_item item) { ready(item, priority_); }
  void ready(ready_item item, int priority) {
    if (!queue_.push(item)) [[unlikely]]
      ready_slowly(item, priority);
  }

  // Runs up to `budget` ready tasks, among them those that become ready meanwhile. Returns how many
  // it ran; fewer than `budget` means that the queue is empty. Not to be called by a task.
  int run_some(int budget) {
    const detail::running_scope guard(running_);
    int left = budget;
    while (left > 0 && !queue_.empty()) {
      auto [at, end] = queue_.front_row(left);
      left -= static_cast<int>(end - at);
      do {
        const ready_item item = *at++;
        queue_.take_until(at);
        if (!item.is_lone_task()) [[unlikely]] {
          left = run_other(item, left + static_cast<int>(end - at));
          break;
        }
        item.as_task().resume();
      } while (at != end);
    }
    if (custom_ != nullptr) [[unlikely]]
      return run_custom(budget);
    return budget - left;
  }

  // Runs that one now, ahead of those that are ready. Not to be called by a task.
  void run_one(ready_item item) {
    const detail::running_scope guard(running_);
    if (item.is_lone_task()) {
      item.as_task().resume();
    } else {
      run_other(item, 0);
    }
  }

  // Ready tasks, up to some hundred: what a pass over the queue runs when none of them readies another.
  int ready_now() const {
    if (custom_ != nullptr) return custom_->empty() ? 0 : 1;
    return queue_.count_near();
  }

  // Nothing is ready. Sleeping and waiting tasks do not count.
  bool empty() const { return queue_.empty() && (custom_ == nullptr || custom_->empty()); }

  // Replaces the order of the ready queue; null restores round-robin. Items already queued move over.
  // Not to be called by a task.
  void set_scheduler(std::unique_ptr<scheduler> order);
  bool is_round_robin() const { return custom_ == nullptr; }

  // The priority of the running task and of those it starts, until they set their own. It follows a
  // task through its waits. A child that runs on its parent's stack shares it with the parent. Round-robin takes no
  // notice of it and does not keep it.
  void set_priority(int priority) { priority_ = priority; }
  int priority() const { return priority_; }

  // --- waiting tasks --------------------------------------------------------------------------

  // Calls f(const wait_record&) for each wait that says what it is for, oldest first.
  template <class F>
  void for_each_waiting(F f) const {
    for (const wait_link* at = waiting_.next; at != &waiting_; at = at->next) {
      const auto& record = static_cast<const wait_record&>(*at);
      if (record.what != nullptr) f(record);
    }
  }
  bool nothing_waits() const { return waiting_.next == &waiting_; }

  // --- time -----------------------------------------------------------------------------------

  // Where the time comes from; a simulator brings its own. Nanoseconds, never backwards.
  using clock_function = std::int64_t (*)(void* owner);
  void set_clock(clock_function clock, void* owner) {
    clock_ = clock;
    clock_owner_ = owner;
  }
  std::int64_t now() const { return clock_(clock_owner_); }

  // When the next sleeper is due; no_deadline if none sleeps.
  std::int64_t next_deadline_ns() const { return timers_.empty() ? no_deadline : timers_.front().deadline_ns; }

  // The time in so many ns; one that is never reached where these are too many.
  std::int64_t deadline_in(std::int64_t ns) const {
    const std::int64_t begin = now();
    constexpr std::int64_t last = no_deadline - 1;
    return ns < last - begin ? begin + ns : last;
  }

  // Wakes those whose time has come, in order of their deadlines. Returns how many.
  int run_timers(std::int64_t now_ns);

  void add_timer(std::int64_t deadline_ns, wait_record& sleeper);
  // The sleeper has one.
  void remove_timer(const wait_record& sleeper);

  // --- for the tasks and fibers themselves ------------------------------------------------------

  bool in_fiber() const { return current_fiber_ != nullptr; }
  fiber* running_fiber() const { return current_fiber_; }

 private:
  friend struct wait_record;
  friend class task_context_scope;
  friend class fiber;
  friend class no_fiber_scope;

  struct timer {
    std::int64_t deadline_ns;
    std::uint64_t order;
    wait_record* sleeper;
  };
  static bool later(const timer& a, const timer& b);
  bool is_removed(const timer& t) const;
  void pop_timer();
  void pop_removed();

  void ready_slowly(ready_item item, int priority);
  int run_custom(int budget);
  // Both return what is left of the budget, of which the item itself has had its part.
  int run_other(ready_item next, int left);
  int run_fiber(fiber* next, int left);

  // Touched by whatever readies or runs a task. While a custom scheduler is in charge the queue is closed and empty:
  // every ready() then takes the slow way, and the fast way needs no second test.
  ready_queue queue_;
  detail::owned<scheduler> custom_;
  int priority_ = 0;
  bool running_ = false;

  // Touched by fiber.cpp, and by a no_fiber_scope, which hides the running fiber.
  int fiber_left_ = 0;              // of the budget of run_some while a fiber runs
  fiber* current_fiber_ = nullptr;  // null while a coroutine runs
  fiber* finished_fiber_ = nullptr;
  void* main_stack_ = nullptr;  // where run_some goes on when the fiber stops
  void* exceptions_ = nullptr;  // the thread's exceptions being handled: each fiber has its own

  // Touched by wait records.
  wait_link waiting_;  // head of a circle

  // Touched by those who sleep, and by whoever wakes them.
  std::vector<timer> timers_;  // a heap, earliest first, which is never a removed one
  std::uint64_t timer_order_ = 0;
  struct removed_timers;
  const detail::owned<removed_timers> removed_;  // that are still among them
  clock_function clock_;
  void* clock_owner_ = nullptr;

 public:
  // --- errors ---------------------------------------------------------------------------------

  // Called when an exception leaves a task that nobody awaits. By default it ends the job. (Behind the ready queue, so
  // that this is where the context begins.)
  void (*on_uncaught)(std::exception_ptr) = &fail_uncaught;
  static void fail_uncaught(std::exception_ptr error);
};

// Makes a context the current one of this thread, and the stack from here on its stack.
class task_context_scope {
 public:
  explicit task_context_scope(task_context& context);
  ~task_context_scope();
  task_context_scope(const task_context_scope&) = delete;
  task_context_scope& operator=(const task_context_scope&) = delete;

 private:
  task_context* before_;
  std::uintptr_t stack_limit_before_;
};

// No fiber runs while this object lives: what is started then must not block the fiber below it.
class no_fiber_scope {
 public:
  no_fiber_scope() : context_(this_task_context), fiber_(nullptr) {
    if (context_ != nullptr) fiber_ = std::exchange(context_->current_fiber_, nullptr);
  }
  ~no_fiber_scope() {
    if (context_ != nullptr) context_->current_fiber_ = fiber_;
  }
  no_fiber_scope(const no_fiber_scope&) = delete;
  no_fiber_scope& operator=(const no_fiber_scope&) = delete;

 private:
  task_context* context_;
  fiber* fiber_;
};

namespace detail {
// Queues a task that must not start on the caller's stack. Fails outside a PE.
[[gnu::cold]] void start_from_queue(std::coroutine_handle<> task);
}  // namespace detail

// The priority of the running task: see task_context::set_priority.
// Local; does not block; outside a job it is undefined.
inline void set_priority(int priority) { this_task_context->set_priority(priority); }

inline void wait_record::suspend(ready_item who, std::source_location from) {
  task_context& context = *this_task_context;
  where = from;
  waiter = who;
  priority = context.priority_;
  link_before(context.waiting_);
}

[[noreturn, gnu::cold]] void woken_by_no_pe();

inline void wait_record::wake() {
  if (this_task_context == nullptr) [[unlikely]]
    woken_by_no_pe();
  unlink();
  this_task_context->ready(waiter, priority);
}

}  // namespace tsubu
