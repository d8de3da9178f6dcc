#include "tsubu/task/context.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/described_error.hpp"
#include "tsubu/base/stack_pointer.hpp"

namespace tsubu {
namespace {

std::int64_t steady_clock_ns(void*) { return now_ns(); }

}  // namespace

void woken_by_no_pe() {
  fail("a thread that is no PE of the job sets a value that a task waits for: post what it has to say through a gate");
}

// Those of a sleeper with a lower order, and how many these are.
struct task_context::removed_timers {
  struct of_sleeper {
    std::uint64_t below = 0;
    std::size_t count = 0;
  };
  std::unordered_map<const wait_record*, of_sleeper> by_sleeper;
  std::size_t count = 0;
};

task_context::task_context() : removed_(std::make_unique<removed_timers>()), clock_(&steady_clock_ns) {
  waiting_.prev = waiting_.next = &waiting_;
}

task_context::~task_context() {
  // Records of abandoned tasks must not point here.
  for (wait_link* at = waiting_.next; at != &waiting_;) {
    wait_link* next = at->next;
    at->next = nullptr;
    at = next;
  }
}

void task_context::ready_slowly(ready_item item, int priority) {
  if (custom_ != nullptr) return custom_->ready(item, priority);
  queue_.push_slowly(item);
}

int task_context::run_other(ready_item next, int left) {
  task_group* group = nullptr;
  const ready_item item = next.leave_group(group);
  set_task_group(group);
  if (item.is_fiber())
    left = run_fiber(item.as_fiber(), left);
  else
    item.as_task().resume();
  set_task_group(nullptr);
  if (group != nullptr && group->waiting == 0) group->settled(*group);
  return left;
}

int task_context::run_custom(int budget) {
  int left = budget;
  while (left > 0 && !custom_->empty()) {
    const scheduler::choice chosen = custom_->next();
    priority_ = chosen.priority;
    --left;
    left = run_other(chosen.item, left);
  }
  priority_ = 0;
  return budget - left;
}

void task_context::set_scheduler(std::unique_ptr<scheduler> order) {
  require(!running_, "set_scheduler() is called by a task: choose the scheduler before the tasks run");
  std::vector<scheduler::choice> queued;
  while (!queue_.empty()) {
    queued.push_back({queue_.front(), priority_});
    queue_.pop_front();
  }
  while (custom_ != nullptr && !custom_->empty()) queued.push_back(custom_->next());
  custom_ = std::move(order);
  if (custom_ != nullptr)
    queue_.close();
  else
    queue_.open();
  for (const auto& [item, priority] : queued) ready(item, priority);
}

bool task_context::later(const timer& a, const timer& b) {
  return a.deadline_ns != b.deadline_ns ? a.deadline_ns > b.deadline_ns : a.order > b.order;
}

void task_context::add_timer(std::int64_t deadline_ns, wait_record& sleeper) {
  timers_.push_back({deadline_ns, timer_order_++, &sleeper});
  std::push_heap(timers_.begin(), timers_.end(), later);
}

// It stays until its time has come or many have been removed: to find each at once would cost as much as there are.
void task_context::remove_timer(const wait_record& sleeper) {
  removed_timers::of_sleeper& of = removed_->by_sleeper[&sleeper];
  of.below = timer_order_;
  ++of.count;
  ++removed_->count;
  if (2 * removed_->count > timers_.size() && removed_->count > 64) {
    std::erase_if(timers_, [this](const timer& t) { return is_removed(t); });
    std::make_heap(timers_.begin(), timers_.end(), later);
    removed_->by_sleeper.clear();
    removed_->count = 0;
  }
  pop_removed();
}

bool task_context::is_removed(const timer& t) const {
  const auto found = removed_->by_sleeper.find(t.sleeper);
  return found != removed_->by_sleeper.end() && t.order < found->second.below;
}

void task_context::pop_timer() {
  std::pop_heap(timers_.begin(), timers_.end(), later);
  timers_.pop_back();
}

void task_context::pop_removed() {
  while (removed_->count > 0 && is_removed(timers_.front())) {
    const auto found = removed_->by_sleeper.find(timers_.front().sleeper);
    if (--found->second.count == 0) removed_->by_sleeper.erase(found);
    --removed_->count;
    pop_timer();
  }
}

int task_context::run_timers(std::int64_t now_ns) {
  int woken = 0;
  while (!timers_.empty() && timers_.front().deadline_ns <= now_ns) {
    wait_record& sleeper = *timers_.front().sleeper;
    pop_timer();
    pop_removed();
    sleeper.wake();
    ++woken;
  }
  return woken;
}

void task_context::fail_uncaught(std::exception_ptr error) {
  free_memory_for_last_words();
  fail("an exception left a task that nobody awaits: " + detail::describe_exception(error));
}

task_context_scope::task_context_scope(task_context& context)
    : before_(this_task_context), stack_limit_before_(this_stack_limit) {
  this_task_context = &context;
  const auto here = detail::stack_pointer();
  this_stack_limit = here - task_context::nested_stack_bytes;
  context.exceptions_ = abi::__cxa_get_globals();
}

task_context_scope::~task_context_scope() {
  this_task_context = before_;
  this_stack_limit = stack_limit_before_;
}

void detail::start_from_queue(std::coroutine_handle<> task) {
  require(this_task_context != nullptr,
          "a task was started outside a PE: start tasks from the program that run() was given, or use run_local() from "
          "tsubu/task/run_local.hpp");
  this_task_context->ready(task);
}

}  // namespace tsubu
