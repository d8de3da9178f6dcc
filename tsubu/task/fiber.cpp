#include "tsubu/task/fiber_on.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <string>

#include "tsubu/task/fiber_stack.hpp"
#include "tsubu/task/watched_stack.hpp"

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

// Whether a sanitizer is told of switches. Each switch asks: so it is one byte, and not two symbols to look up.
const bool stacks_are_watched = sanitizer::has_address() || sanitizer::has_thread();

// The stack of run_some, for the sanitizers.
struct main_stack_state {
  detail::watched_stack stack;
  bool left = false;  // the next arrival in a fiber comes from it
};
thread_local main_stack_state main_state;

}  // namespace

// Boost's jump_fcontext called as a function of another type, which returns the same two registers, so that it can be
// the last call of our functions: the jump then ends right behind the caller's call of them. By its address and not by
// its symbol, which is a C name before Boost 1.92 and a C++ name since. Through void (*)(), which says to compilers
// that the types differ on purpose.
[[gnu::always_inline]] static inline detail::arrival jump(fcontext_t to, fcontext_t* note) {
  const auto untyped = reinterpret_cast<void (*)()>(&boost::context::detail::jump_fcontext);
  return reinterpret_cast<detail::arrival (*)(fcontext_t, fcontext_t*)>(untyped)(to, note);
}
static_assert(sizeof(detail::arrival) == sizeof(transfer_t));

static void note(detail::arrival at) {
  *reinterpret_cast<std::uintptr_t*>(static_cast<std::uintptr_t>(at >> 64)) = static_cast<std::uintptr_t>(at);
}

// Lives at the top of its own stack. Jumps carry the address where the one who jumps is to be found
// again: the side that arrives stores it there.
class fiber {
 public:
  static fiber* make(std::size_t stack_bytes, std::size_t callable_bytes, void (*body)(void*));
  static fiber* make_on(const detail::fiber_stack& stack, std::size_t callable_bytes, void (*body)(void*));
  static void release(fiber* ended);
  static int run(task_context& context, fiber* next, int left);
  static detail::arrival block(task_context& context, fiber* self);
  static detail::arrival yield(task_context& context, fiber* self);
  [[gnu::noinline]] static detail::arrival yield_slowly(task_context& context, fiber* self);

  void* callable() const { return callable_; }

 private:
  static void entry(transfer_t from);
  static fiber* next_ready(task_context& context);
  static detail::arrival jump_to_fiber(task_context& context, fiber* self, fiber* next);
  static detail::arrival jump_to_main(task_context& context, fiber* self);

  // A jump that a sanitizer is told of, on both sides. From `self`, to `next` or to run_some if it is null.
  [[gnu::noinline]] static detail::arrival jump_watched(fcontext_t to, fiber* self, fiber* next, bool for_ever);
  static void leave_main(fiber* next);
  static void arrive_in(fiber* self);
  static void arrive_main();

  fcontext_t at_ = nullptr;  // where it goes on
  std::uintptr_t stack_limit_ = 0;
  handled_exceptions exceptions_;

  void* callable_ = nullptr;
  void (*body_)(void*) = nullptr;

  detail::fiber_stack stack_;
  detail::watched_stack watched_;
};

constexpr std::size_t most_spread = 4096;

fiber* fiber::make(std::size_t stack_bytes, std::size_t callable_bytes, void (*body)(void*)) {
  if (stacks_are_watched) stack_bytes *= 4;
  return make_on(detail::fiber_stack::take(stack_bytes + sizeof(fiber) + callable_bytes + most_spread), callable_bytes,
                 body);
}

fiber* fiber::make_on(const detail::fiber_stack& stack, std::size_t callable_bytes, void (*body)(void*)) {
  const std::size_t spread = detail::fiber_stack::next_spread();
  const std::uintptr_t self_at = (stack.end() - spread - sizeof(fiber)) & ~std::uintptr_t{63};
  const std::uintptr_t callable_at = (self_at - callable_bytes) & ~std::uintptr_t{15};
  auto* made = new (reinterpret_cast<void*>(self_at)) fiber;
  made->stack_ = stack;
  made->callable_ = reinterpret_cast<void*>(callable_at);
  made->body_ = body;
  const auto low = reinterpret_cast<std::uintptr_t>(stack.bottom());
  made->stack_limit_ = low + (callable_at - low) / 2;
  made->at_ = make_fcontext(made->callable_, callable_at - low, &entry);
  if (stacks_are_watched) made->watched_ = detail::watched_stack(stack.bottom(), stack.bytes());
  return made;
}

void fiber::release(fiber* ended) {
  ended->watched_.end();
  const detail::fiber_stack stack = ended->stack_;  // where `ended` is
  stack.give_back();
}

void fiber::leave_main(fiber* next) {
  if (!stacks_are_watched) return;
  main_state.left = true;
  main_state.stack.begin_on_thread();
  main_state.stack.leave(next->watched_);
}

void fiber::arrive_in(fiber* self) {
  if (stacks_are_watched) self->watched_.arrive(std::exchange(main_state.left, false) ? &main_state.stack : nullptr);
}

void fiber::arrive_main() {
  if (stacks_are_watched) main_state.stack.arrive();
}

detail::arrival fiber::jump_watched(fcontext_t to, fiber* self, fiber* next, bool for_ever) {
  self->watched_.leave(next != nullptr ? next->watched_ : main_state.stack, for_ever);
  const detail::arrival at = jump(to, &self->at_);
  arrive_in(self);
  return at;
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
  if (stacks_are_watched) [[unlikely]]
    return jump_watched(next->at_, self, next, false);
  return jump(next->at_, &self->at_);
}

inline detail::arrival fiber::jump_to_main(task_context& context, fiber* self) {
  self->exceptions_ = *static_cast<handled_exceptions*>(context.exceptions_);
  if (stacks_are_watched) [[unlikely]]
    return jump_watched(context.main_stack_, self, nullptr, context.finished_fiber_ == self);
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

fiber* make_fiber_on(const fiber_stack& stack, std::size_t callable_bytes, void (*body)(void*)) {
  require(this_task_context != nullptr, "a fiber is started outside a PE");
  return fiber::make_on(stack, callable_bytes, body);
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

void fail_outside_fiber(const char* caller) {
  fail(std::string(caller) +
       " is called outside a fiber: in a coroutine use co_await; a plain function that must wait is called by "
       "co_await run_fiber(f, arguments...)");
}

}  // namespace detail
}  // namespace tsubu
