#include "tsubu/task/fresh_stack.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <exception>

#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/task/fiber_stack.hpp"
#include "tsubu/task/watched_stack.hpp"

namespace tsubu::detail {
namespace {

namespace context = boost::context::detail;

// Lives on the stack of the caller.
struct fresh_call {
  void (*body)(void*);
  void* callable;
  watched_stack caller, fresh;
  std::exception_ptr error;
};

void entry(context::transfer_t from) {
  fresh_call& mine = *static_cast<fresh_call*>(from.data);
  mine.fresh.arrive(&mine.caller);
  try {
    mine.body(mine.callable);
  } catch (...) {
    mine.error = std::current_exception();
  }
  mine.fresh.leave(mine.caller, true);
  context::jump_fcontext(from.fctx, nullptr);
}

}  // namespace

void call_on_fresh_stack(void (*body)(void*), void* callable) {
  constexpr std::size_t stack_bytes = std::size_t{8} << 20;
  // AddressSanitizer's frames are larger. ThreadSanitizer follows 65,536 calls on a stack (kShadowStackSize, LLVM 19)
  // and writes beyond: of 16 bytes each, which is the least, this has fewer.
  const std::size_t bytes = sanitizer::has_thread()    ? stack_bytes / 8
                            : sanitizer::has_address() ? 4 * stack_bytes
                                                       : stack_bytes;
  const fiber_stack stack = fiber_stack::take(bytes);
  fresh_call made{body, callable, {}, watched_stack(stack.bottom(), stack.bytes()), nullptr};
  // What does not ask gets an eighth of it.
  const std::uintptr_t limit_before = this_stack_limit;
  this_stack_limit = reinterpret_cast<std::uintptr_t>(stack.bottom()) + stack.bytes() / 8;
  const context::fcontext_t begin = context::make_fcontext(reinterpret_cast<void*>(stack.end()), stack.bytes(), &entry);
  made.caller.begin_on_thread();
  made.caller.leave(made.fresh);
  context::jump_fcontext(begin, &made);
  made.caller.arrive();
  made.fresh.end();
  this_stack_limit = limit_before;
  stack.give_back();
  if (made.error != nullptr) std::rethrow_exception(made.error);
}

}  // namespace tsubu::detail
