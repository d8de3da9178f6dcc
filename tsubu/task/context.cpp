#include "tsubu/task/context.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <typeinfo>
#include <utility>

namespace tsubu {
namespace {

std::int64_t steady_clock_ns(void*) { return now_ns(); }

std::string readable(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = text != nullptr ? text : mangled;
  std::free(text);
  return name;
}

}  // namespace

task_context::task_context() : clock_(&steady_clock_ns) {
  waiting_.prev = waiting_.next = &waiting_;
  head_block_ = tail_block_ = block::make(block::first_size);
  head_ = tail_ = head_block_->begin();
  tail_end_ = tail_block_->end();
}

task_context::~task_context() {
  // Records of abandoned tasks must not point here.
  for (wait_link* at = waiting_.next; at != &waiting_;) {
    wait_link* next = at->next;
    at->next = nullptr;
    at = next;
  }
  delete custom_;
  block::drop(spare_block_);
  while (head_block_ != nullptr) block::drop(std::exchange(head_block_, head_block_->next));
}

task_context::block* task_context::block::make(std::size_t size) {
  return new (::operator new(sizeof(block) + size * sizeof(ready_item))) block{nullptr, size};
}

void task_context::ready_slowly(ready_item item, int priority) {
  if (custom_ != nullptr) return custom_->ready(item, priority);
  if (head_ == tail_ && tail_block_->size == block::first_size && rewinds_left_-- > 0) {
    head_ = tail_ = tail_block_->begin();
    *tail_++ = item;
    return;
  }
  block* added = std::exchange(spare_block_, nullptr);
  if (added == nullptr) added = block::make(block::usual_size);
  added->next = nullptr;
  tail_block_->next = added;
  tail_block_ = added;
  tail_ = added->begin();
  *tail_++ = item;
  tail_end_ = added->end();
}

void task_context::next_block() {
  block* done = std::exchange(head_block_, head_block_->next);
  head_ = head_block_->begin();
  if (done->size == block::usual_size) std::swap(spare_block_, done);
  block::drop(done);
}

int task_context::run_other(ready_item next, int left) {
  task_group* group = nullptr;
  const ready_item item = next.leave_group(group);
  this_task_group = group;
  if (item.is_fiber())
    left = run_fiber(item.as_fiber(), left);
  else
    item.as_task().resume();
  this_task_group = nullptr;
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
  TSUBU_CHECK(!running_, "set_scheduler() is called by a task: choose the scheduler before the tasks run");
  std::vector<scheduler::choice> queued;
  while (head_ != tail_) {
    if (head_ == head_block_->end()) next_block();
    queued.push_back({*head_++, priority_});
  }
  while (custom_ != nullptr && !custom_->empty()) queued.push_back(custom_->next());
  delete custom_;
  custom_ = order.release();
  tail_end_ = custom_ != nullptr ? tail_ : tail_block_->end();
  for (const auto& [item, priority] : queued) ready(item, priority);
}

bool task_context::later(const timer& a, const timer& b) {
  return a.deadline_ns != b.deadline_ns ? a.deadline_ns > b.deadline_ns : a.order > b.order;
}

void task_context::add_timer(std::int64_t deadline_ns, wait_record& sleeper) {
  timers_.push_back({deadline_ns, timer_order_++, &sleeper});
  std::push_heap(timers_.begin(), timers_.end(), later);
}

void task_context::remove_timer(const wait_record& sleeper) {
  std::erase_if(timers_, [&](const timer& t) { return t.sleeper == &sleeper; });
  std::make_heap(timers_.begin(), timers_.end(), later);
}

int task_context::run_timers(std::int64_t now_ns) {
  int woken = 0;
  while (!timers_.empty() && timers_.front().deadline_ns <= now_ns) {
    wait_record& sleeper = *timers_.front().sleeper;
    std::pop_heap(timers_.begin(), timers_.end(), later);
    timers_.pop_back();
    sleeper.wake();
    ++woken;
  }
  return woken;
}

void task_context::fail_uncaught(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    fail("an exception left a task that nobody awaits: " + readable(typeid(e).name()) + ": " + e.what());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    fail("an exception left a task that nobody awaits, of type " +
         (type != nullptr ? readable(type->name()) : std::string("unknown")));
  }
}

task_context_scope::task_context_scope(task_context& context)
    : before_(this_task_context), stack_limit_before_(this_stack_limit) {
  this_task_context = &context;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  this_stack_limit = here - task_context::nested_stack_bytes;
  context.exceptions_ = abi::__cxa_get_globals();
}

task_context_scope::~task_context_scope() {
  this_task_context = before_;
  this_stack_limit = stack_limit_before_;
}

void detail::start_from_queue(std::coroutine_handle<> task) {
  TSUBU_CHECK(this_task_context != nullptr,
              "a task was started outside a PE: start tasks from the program that run() was given, "
              "or use run_local() from tsubu/task/run_local.hpp");
  this_task_context->ready(task);
}

}  // namespace tsubu
