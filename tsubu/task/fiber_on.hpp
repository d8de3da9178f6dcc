// Fibers on memory of the caller's own.
//
// For who wants to know the addresses of what lies on their stacks.
#pragma once

#include "tsubu/task/fiber.hpp"
#include "tsubu/task/fiber_stack.hpp"

namespace tsubu {

namespace detail {
fiber* make_fiber_on(const fiber_stack& stack, std::size_t callable_bytes, void (*body)(void* callable));
}

// As spawn_fiber(), on `bytes` of memory from `bottom` on, the page below which should be out of reach. `given_back` is
// told when the fiber has ended.
// Local; does not block; throws nothing, and outside a job ends the process.
template <class F>
void spawn_fiber_on(void* bottom, std::size_t bytes, void (*given_back)(void* bottom, std::size_t bytes), F f) {
  detail::start_fiber(
      detail::make_fiber_on(detail::fiber_stack::of(bottom, bytes, given_back), sizeof(F), &detail::run_in_fiber<F>),
      std::move(f));
}

}  // namespace tsubu
