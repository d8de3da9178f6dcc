// Calls of functions that may call themselves: how deep they are nested, and another stack where one is used up.
//
// Such a function takes the depth of its call behind its arguments, which is 1 where no such function calls it:
//
//   inline long sum(long n, std::int64_t nested_) {
//     if (abcl::is_deep(nested_)) [[unlikely]] {
//       return abcl::deep_call(nested_, sites[3], [=]() { return sum(n, nested_); });
//     }
//
// The depth stays in a register: a count in memory would cost fib twice as much.
#pragma once

#include <cstdint>

#include "abcl/runtime/most_nested_calls.hpp"
#include "abcl/runtime/site.hpp"
#include "tsubu/task/fresh_stack.hpp"

namespace abcl {

[[gnu::always_inline]] inline bool is_deep(std::int64_t nested) noexcept {
  return nested > most_nested_calls || tsubu::needs_fresh_stack();
}

// The call f() again, on a fresh stack; or the program ends, for it is nested too deep.
template <class F>
[[gnu::cold, gnu::noinline]] auto deep_call(std::int64_t nested, const site& function, F f) {
  if (nested > most_nested_calls) fail(function, nested_too_deep);
  return tsubu::on_fresh_stack(f);
}

}  // namespace abcl
