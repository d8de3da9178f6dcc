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

#include <algorithm>
#include <bit>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <source_location>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/task/scheduler.hpp"

namespace tsubu {

class task_context;

// The context whose turn it is on this thread; null outside a PE.
inline thread_local constinit task_context* this_task_context = nullptr;

// Below this address the running stack is too deep to start a child task on top of it. Outside a PE no
// stack is deep enough, so that one test finds both.
inline thread_local constinit std::uintptr_t this_stack_limit = std::numeric_limits<std::uintptr_t>::max();

struct wait_link {
  wait_link* prev = nullptr;
  wait_link* next = nullptr;  // null = not in a list
};

// A wait that only an event ends: for a reply, a value, a time; not for a child task, which has its own.
//
// It lives in the awaiter, thus in the waiting task's frame, and is in the context's list while it
// waits: this is what a deadlock report prints. An awaiter derives from it or holds it, calls
// suspend() in await_suspend, and whoever ends the wait calls wake():
//
//   void await_suspend(std::coroutine_handle<> h, std::source_location where = std::source_location::current()) {
//     record_.suspend(h, where);   // `where` is the line of the co_await
//   }
struct wait_record : wait_link {
  constexpr wait_record(const char* what_for, const void* which) : what(what_for), object(which) {}
  wait_record(const wait_record&) = delete;
  wait_record& operator=(const wait_record&) = delete;
  ~wait_record() {
    if (waiting()) unlink();
  }

  bool waiting() const { return next != nullptr; }

  // Local: enters the list of the current context.
  inline void suspend(ready_item who, std::source_location from);

  // Leaves the list and puts the waiter into the ready queue, where it keeps its priority.
  inline void wake();

  void unlink() {
    prev->next = next;
    next->prev = prev;
    next = nullptr;
  }

  const char* what;    // "future", "sync", "a reply from PE 3's …": text that outlives the wait
  const void* object;  // which one; may be null
  std::source_location where;
  ready_item waiter;
  int priority = 0;
};

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
    if (tail_ == tail_end_) [[unlikely]]
      return ready_slowly(item, priority);
    *tail_ = item;
    ++tail_;
  }

  // Runs up to `budget` ready tasks, among them those that become ready meanwhile. Returns how many
  // it ran; fewer than `budget` means that the queue is empty. Not to be called by a task.
  int run_some(int budget) {
    const running_scope guard(*this);
    int left = budget;
    while (left > 0 && head_ != tail_) {
      if (head_ == head_block_->end()) next_block();
      ready_item* at = head_;
      ready_item* end = head_block_ == tail_block_ ? tail_ : head_block_->end();
      if (end - at > left) end = at + left;
      left -= static_cast<int>(end - at);
      do {
        const ready_item item = *at++;
        head_ = at;
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

  // Ready tasks, up to some hundred: what a pass over the queue runs when none of them readies another.
  int ready_now() const {
    if (custom_ != nullptr) return custom_->empty() ? 0 : 1;
    if (head_ == tail_) return 0;
    if (head_block_ == tail_block_) return static_cast<int>(tail_ - head_);
    block* const next = head_block_->next;
    return static_cast<int>((head_block_->end() - head_) +
                            ((next == tail_block_ ? tail_ : next->end()) - next->begin()));
  }

  // Nothing is ready. Sleeping and waiting tasks do not count.
  bool empty() const { return head_ == tail_ && (custom_ == nullptr || custom_->empty()); }

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

  // Calls f(const wait_record&) for each wait, oldest first.
  template <class F>
  void for_each_waiting(F f) const {
    for (const wait_link* at = waiting_.next; at != &waiting_; at = at->next) f(static_cast<const wait_record&>(*at));
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

  // Wakes those whose time has come, in order of their deadlines. Returns how many.
  int run_timers(std::int64_t now_ns);

  void add_timer(std::int64_t deadline_ns, wait_record& sleeper);
  void remove_timer(const wait_record& sleeper);

  // --- errors ---------------------------------------------------------------------------------

  // Called when an exception leaves a task that nobody awaits. By default it ends the job.
  void (*on_uncaught)(std::exception_ptr) = &fail_uncaught;
  static void fail_uncaught(std::exception_ptr error);

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

  // The ready queue is a chain of blocks, so that items never move and adding one tests one pointer.
  // The first is small: of the PEs of a simulated machine most have few tasks.
  struct block {
    static constexpr std::size_t usual_size = 254, first_size = 14;
    static block* make(std::size_t size);
    static void drop(block* b) { ::operator delete(b); }
    ready_item* begin() { return reinterpret_cast<ready_item*>(this + 1); }
    ready_item* end() { return begin() + size; }
    block* next;
    std::size_t size;
  };
  class running_scope {
   public:
    explicit running_scope(task_context& context) : context_(context) {
      TSUBU_CHECK(!context.running_, "run_some() is called by a task that run_some() runs");
      context.running_ = true;
    }
    ~running_scope() { context_.running_ = false; }
    running_scope(const running_scope&) = delete;
    running_scope& operator=(const running_scope&) = delete;

   private:
    task_context& context_;
  };

  void ready_slowly(ready_item item, int priority);
  void next_block();  // head_ is at the end of its block, and there is another
  int run_custom(int budget);
  // Both return what is left of the budget, of which the item itself has had its part.
  int run_other(ready_item next, int left);
  int run_fiber(fiber* next, int left);

  // Empty if head_ == tail_. While a custom scheduler is in charge the queue is empty and tail_end_ is
  // tail_: every ready() then takes the slow way, and the fast way needs no second test.
  ready_item* tail_;
  ready_item* tail_end_;
  ready_item* head_;
  block* head_block_;
  block* tail_block_;
  block* spare_block_ = nullptr;
  int rewinds_left_ = 64;  // of the first block, when it is empty; then the PE runs many tasks, and gets a usual one
  scheduler* custom_ = nullptr;  // owned
  int priority_ = 0;
  bool running_ = false;

  int fiber_left_ = 0;              // of the budget of run_some while a fiber runs
  fiber* current_fiber_ = nullptr;  // null while a coroutine runs
  fiber* finished_fiber_ = nullptr;
  void* main_stack_ = nullptr;  // where run_some goes on when the fiber stops
  void* exceptions_ = nullptr;  // the thread's exceptions being handled: each fiber has its own

  wait_link waiting_;          // head of a circle
  std::vector<timer> timers_;  // a heap, earliest first
  std::uint64_t timer_order_ = 0;
  clock_function clock_;
  void* clock_owner_ = nullptr;
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

namespace detail {
// Queues a task that must not start on the caller's stack. Fails outside a PE.
[[gnu::cold]] void start_from_queue(std::coroutine_handle<> task);
}  // namespace detail

// The priority of the running task: see task_context::set_priority.
inline void set_priority(int priority) { this_task_context->set_priority(priority); }

inline void wait_record::suspend(ready_item who, std::source_location from) {
  task_context& context = *this_task_context;
  where = from;
  waiter = who;
  priority = context.priority_;
  wait_link& head = context.waiting_;
  prev = head.prev;
  next = &head;
  head.prev->next = this;
  head.prev = this;
}

inline void wait_record::wake() {
  unlink();
  this_task_context->ready(waiter, priority);
}

}  // namespace tsubu
