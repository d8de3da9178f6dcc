// Calls of functions that may call themselves: how deep they are nested, and another stack where one is used up.
//
// Such a function begins with
//
//   const abcl::nested_call nested_1(sites[3]);
//   if (tsubu::needs_fresh_stack()) [[unlikely]] return nested_1.on_fresh_stack([&]() { return f(a, b); });
//
// A function waits for nothing, so no other of the thread's PEs begins a call in between.
#pragma once

#include <cstdint>
#include <utility>

#include "abcl/runtime/most_nested_calls.hpp"
#include "abcl/runtime/site.hpp"
#include "tsubu/task/fresh_stack.hpp"

namespace abcl {

inline thread_local constinit std::int64_t nested_calls = 0;

class nested_call {
 public:
  explicit nested_call(const site& function) {
    if (++nested_calls > most_nested_calls) [[unlikely]]
      fail(function, nested_too_deep);
  }
  nested_call(const nested_call&) = delete;
  nested_call& operator=(const nested_call&) = delete;
  ~nested_call() { --nested_calls; }

  // The same call again, which is counted as one.
  template <class F>
  [[gnu::cold, gnu::noinline]] auto on_fresh_stack(F f) const {
    return tsubu::on_fresh_stack([&f]() {
      const not_twice guard;
      return f();
    });
  }

 private:
  struct not_twice {
    not_twice() { --nested_calls; }
    not_twice(const not_twice&) = delete;
    not_twice& operator=(const not_twice&) = delete;
    ~not_twice() { ++nested_calls; }
  };
};

}  // namespace abcl
