#include "tsubu/task/fiber.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <string>

#include "tsubu/task/fiber_stack.hpp"

#if TSUBU_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if TSUBU_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace tsubu {

using boost::context::detail::fcontext_t;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

// What the C++ runtime knows of the exceptions that a thread handles: a fiber may wait in a handler.
struct handled_exceptions {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

#if TSUBU_ASAN || TSUBU_TSAN
// The stack of run_some, for the sanitizers.
struct main_stack_state {
  bool left = false;  // the next arrival in a fiber comes from it
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
  void* tsan = nullptr;
};
thread_local main_stack_state main_state;
#endif

}  // namespace

// Boost's jump_fcontext under a type of ours, so that it can be the last call of our functions: the
// jump then ends right behind the caller's call of them.
detail::arrival jump(fcontext_t to, fcontext_t* note) __asm__("jump_fcontext");
static_assert(sizeof(detail::arrival) == sizeof(transfer_t));

static void note(detail::arrival at) {
  *reinterpret_cast<std::uintptr_t*>(static_cast<std::uintptr_t>(at >> 64)) = static_cast<std::uintptr_t>(at);
}

// Lives at the top of its own stack. Jumps carry the address where the one who jumps is to be found
// again: the side that arrives stores it there.
class fiber {
 public:
  static fiber* make(std::size_t stack_bytes, std::size_t callable_bytes, void (*body)(void*));
  static void release(fiber* ended);
  static int run(task_context& context, fiber* next, int left);
  static detail::arrival block(task_context& context, fiber* self);
  static detail::arrival yield(task_context& context, fiber* self);
  [[gnu::noinline]] static detail::arrival yield_slowly(task_context& context, fiber* self);
  static void arrive(detail::arrival at);

  void* callable() const { return callable_; }

 private:
  static void entry(transfer_t from);
  static fiber* next_ready(task_context& context);
  static detail::arrival jump_to_fiber(task_context& context, fiber* self, fiber* next);
  static detail::arrival jump_to_main(task_context& context, fiber* self);

  // Both sides of a switch, for the sanitizers.
  static void leave_main(fiber* next);
  static void leave(fiber* self, fiber* next);
  static void arrive_in(fiber* self);
  static void arrive_main();

  fcontext_t at_ = nullptr;  // where it goes on
  std::uintptr_t stack_limit_ = 0;
  handled_exceptions exceptions_;

  void* callable_ = nullptr;
  void (*body_)(void*) = nullptr;

  detail::fiber_stack stack_;
#if TSUBU_ASAN
  void* fake_stack_ = nullptr;
#endif
#if TSUBU_TSAN
  void* tsan_ = nullptr;
#endif
};

fiber* fiber::make(std::size_t stack_bytes, std::size_t callable_bytes, void (*body)(void*)) {
  if (TSUBU_ASAN || TSUBU_TSAN) stack_bytes *= 4;
  constexpr std::size_t most_spread = 4096;
  const std::size_t spread = detail::fiber_stack::next_spread();
  const auto stack = detail::fiber_stack::take(stack_bytes + sizeof(fiber) + callable_bytes + most_spread);

  const std::uintptr_t self_at = (stack.end() - spread - sizeof(fiber)) & ~std::uintptr_t{63};
  const std::uintptr_t callable_at = (self_at - callable_bytes) & ~std::uintptr_t{15};
  auto* made = new (reinterpret_cast<void*>(self_at)) fiber;
  made->stack_ = stack;
  made->callable_ = reinterpret_cast<void*>(callable_at);
  made->body_ = body;
  const auto low = reinterpret_cast<std::uintptr_t>(stack.bottom());
  made->stack_limit_ = low + (callable_at - low) / 2;
  made->at_ = make_fcontext(made->callable_, callable_at - low, &entry);
#if TSUBU_TSAN
  made->tsan_ = __tsan_create_fiber(0);
#endif
  return made;
}

void fiber::release(fiber* ended) {
#if TSUBU_TSAN
  __tsan_destroy_fiber(ended->tsan_);
#endif
  const detail::fiber_stack stack = ended->stack_;  // where `ended` is
  stack.give_back();
}

void fiber::leave_main([[maybe_unused]] fiber* next) {
#if TSUBU_ASAN
  main_state.left = true;
  __sanitizer_start_switch_fiber(&main_state.fake_stack, next->stack_.bottom(), next->stack_.bytes());
#endif
#if TSUBU_TSAN
  main_state.tsan = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(next->tsan_, 0);
#endif
}

// Leaves `self` for another fiber, or for run_some if `next` is null; for the last time if `self` is null.
void fiber::leave([[maybe_unused]] fiber* self, [[maybe_unused]] fiber* next) {
#if TSUBU_ASAN
  void** keep = self != nullptr ? &self->fake_stack_ : nullptr;
  if (next != nullptr)
    __sanitizer_start_switch_fiber(keep, next->stack_.bottom(), next->stack_.bytes());
  else
    __sanitizer_start_switch_fiber(keep, main_state.bottom, main_state.bytes);
#endif
#if TSUBU_TSAN
  __tsan_switch_to_fiber(next != nullptr ? next->tsan_ : main_state.tsan, 0);
#endif
}

void fiber::arrive_in([[maybe_unused]] fiber* self) {
#if TSUBU_ASAN
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(self->fake_stack_, &bottom, &bytes);
  if (main_state.left) {
    main_state.left = false;
    main_state.bottom = bottom;
    main_state.bytes = bytes;
  }
#endif
}

void fiber::arrive_main() {
#if TSUBU_ASAN
  __sanitizer_finish_switch_fiber(main_state.fake_stack, nullptr, nullptr);
#endif
}

void fiber::arrive(detail::arrival at) {
  note(at);
  if (static_cast<std::uintptr_t>(at) == 0) return;  // it did not jump
  arrive_in(this_task_context->current_fiber_);
}

void fiber::entry(transfer_t from) {
  *static_cast<fcontext_t*>(from.data) = from.fctx;
  task_context& context = *this_task_context;
  fiber* self = context.current_fiber_;
  arrive_in(self);
  try {
    self->body_(self->callable_);
  } catch (...) {
    context.on_uncaught(std::current_exception());
  }
  context.finished_fiber_ = self;
  jump_to_main(context, self);
  __builtin_unreachable();
}

// Takes the next ready item if it is a fiber and the budget of run_some allows it.
inline fiber* fiber::next_ready(task_context& context) {
  // The group of the running fiber is not that of the next.
  if (context.queue_.empty() || context.fiber_left_ == 0 || this_task_group != nullptr) return nullptr;
  const ready_item item = context.queue_.front();
  if (!item.is_fiber()) return nullptr;
  context.queue_.pop_front();
  --context.fiber_left_;
  return item.as_fiber();
}

inline detail::arrival fiber::jump_to_fiber(task_context& context, fiber* self, fiber* next) {
  auto& exceptions = *static_cast<handled_exceptions*>(context.exceptions_);
  self->exceptions_ = exceptions;
  exceptions = next->exceptions_;
  context.current_fiber_ = next;
  this_stack_limit = next->stack_limit_;
  leave(self, next);
  return jump(next->at_, &self->at_);
}

inline detail::arrival fiber::jump_to_main(task_context& context, fiber* self) {
  self->exceptions_ = *static_cast<handled_exceptions*>(context.exceptions_);
  leave(context.finished_fiber_ == self ? nullptr : self, nullptr);
  return jump(context.main_stack_, &self->at_);
}

inline detail::arrival fiber::block(task_context& context, fiber* self) {
  fiber* next = next_ready(context);
  if (next == nullptr) return jump_to_main(context, self);
  return jump_to_fiber(context, self, next);
}

inline detail::arrival fiber::yield(task_context& context, fiber* self) {
  if (context.queue_.empty() || context.queue_.full()) [[unlikely]]
    return yield_slowly(context, self);
  context.ready(ready_item(self));
  return block(context, self);
}

// No other item is ready, the queue must grow, or another scheduler is in charge.
detail::arrival fiber::yield_slowly(task_context& context, fiber* self) {
  if (context.empty() && context.fiber_left_ > 0) {
    --context.fiber_left_;
    return detail::arrival{reinterpret_cast<std::uintptr_t>(&self->at_)} << 64;  // no need to jump
  }
  context.ready(ready_item(self));
  return block(context, self);
}

int fiber::run(task_context& context, fiber* next, int left) {
  auto& exceptions = *static_cast<handled_exceptions*>(context.exceptions_);
  const handled_exceptions own = exceptions;
  const std::uintptr_t own_limit = this_stack_limit;
  exceptions = next->exceptions_;
  context.current_fiber_ = next;
  this_stack_limit = next->stack_limit_;
  context.fiber_left_ = left;
  leave_main(next);
  note(jump(next->at_, &context.main_stack_));
  arrive_main();
  context.current_fiber_ = nullptr;
  this_stack_limit = own_limit;
  exceptions = own;
  if (context.finished_fiber_ != nullptr) release(std::exchange(context.finished_fiber_, nullptr));
  return context.fiber_left_;
}

int task_context::run_fiber(fiber* next, int left) { return fiber::run(*this, next, left); }

namespace detail {

fiber* make_fiber(std::size_t stack_bytes, std::size_t callable_bytes, void (*body)(void*)) {
  require(this_task_context != nullptr, "a fiber is started outside a PE");
  return fiber::make(stack_bytes, callable_bytes, body);
}

void* callable_of(fiber* made) noexcept { return made->callable(); }

fiber* running_fiber(const char* caller) {
  if (!in_fiber()) fail_outside_fiber(caller);
  return this_task_context->running_fiber();
}

arrival jump_and_stay_ready() {
  task_context& context = *this_task_context;
  return fiber::yield(context, context.running_fiber());
}
arrival jump_and_wait() {
  task_context& context = *this_task_context;
  return fiber::block(context, context.running_fiber());
}
#if TSUBU_ASAN
void arrived(arrival at) { fiber::arrive(at); }
#endif

void fail_outside_fiber(const char* caller) {
  fail(std::string(caller) +
       " is called outside a fiber: in a coroutine use co_await; a plain function that must wait is called by "
       "co_await run_fiber(f, arguments...)");
}

}  // namespace detail
}  // namespace tsubu
