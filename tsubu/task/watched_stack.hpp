// What a sanitizer must be told of a stack that a fiber runs on, or run_some: when it is left, for which other one, and
// when somebody has arrived on it. In a program without a sanitizer all this does nothing.
#pragma once

#include <cstddef>

#include "tsubu/base/sanitized_program.hpp"

namespace tsubu::detail {

class watched_stack {
 public:
  watched_stack() = default;
  // That of a fiber.
  watched_stack(const void* bottom, std::size_t bytes) : bottom_(bottom), bytes_(bytes) {
    if (sanitizer::has_thread()) thread_ = __tsan_create_fiber(0);
  }
  // Nobody comes back to it.
  void end() const {
    if (sanitizer::has_thread()) __tsan_destroy_fiber(thread_);
  }

  // The running stack is that of a thread: what is known of it, until arrive() of the next stack says more.
  void begin_on_thread() {
    if (sanitizer::has_thread()) thread_ = __tsan_get_current_fiber();
  }

  // The last thing before the jump to another, and the first behind one. `for_ever`: to be followed by end().
  void leave(const watched_stack& to, bool for_ever = false) {
    if (sanitizer::has_address()) {
      __sanitizer_start_switch_fiber(for_ever ? nullptr : &frames_, to.bottom_, to.bytes_);
    }
    if (sanitizer::has_thread()) __tsan_switch_to_fiber(to.thread_, 0);
  }
  // `from`, if given, learns where the stack lies that was left.
  void arrive(watched_stack* from = nullptr) {
    if (!sanitizer::has_address()) return;
    __sanitizer_finish_switch_fiber(frames_, from == nullptr ? nullptr : &from->bottom_,
                                    from == nullptr ? nullptr : &from->bytes_);
  }

 private:
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  void* frames_ = nullptr;  // what AddressSanitizer keeps of it meanwhile
  void* thread_ = nullptr;  // what ThreadSanitizer takes it for
};

}  // namespace tsubu::detail
