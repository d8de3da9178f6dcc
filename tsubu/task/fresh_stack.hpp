// A call on a stack of its own, for what nests deeper than the running stack allows: a recursion that asks
// needs_fresh_stack() at each step, and goes on there, may be as deep as there is memory.
//
// Unlike a fiber it takes no turns: the caller goes on when the call has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "tsubu/base/stack_pointer.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu {

namespace detail {

// Throws what the body throws.
void call_on_fresh_stack(void (*body)(void* callable), void* callable);

}  // namespace detail

// Whether the running stack has grown so far that no child task is started on it.
// Local; does not block; throws nothing.
[[gnu::always_inline]] inline bool needs_fresh_stack() noexcept { return detail::stack_pointer() < this_stack_limit; }

// f(), on a stack of 8 MiB, of which memory is taken as it is used; the thread keeps it for the next call. f does not
// wait.
// Local; does not block; throws what f throws, and std::bad_alloc.
template <class F>
std::invoke_result_t<F&> on_fresh_stack(F f) {
  using result_type = std::invoke_result_t<F&>;
  if constexpr (std::is_void_v<result_type>) {
    detail::call_on_fresh_stack([](void* callable) { (*static_cast<F*>(callable))(); }, &f);
  } else {
    struct call {
      F& f;
      std::optional<result_type> result;
    } made{f, std::nullopt};
    detail::call_on_fresh_stack(
        [](void* callable) {
          call& mine = *static_cast<call*>(callable);
          mine.result.emplace(mine.f());
        },
        &made);
    return *std::move(made.result);
  }
}

}  // namespace tsubu
