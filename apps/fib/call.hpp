// A call of fib as a concurrent object: one for each call, as in figure 6 of the ABCL/EM-4 paper.
//
// Source: Yasugi, Matsuoka, Yonezawa, ABCL/EM-4, 1997.
#pragma once

#include <cstdint>

#include "tsubu/tsubu.hpp"

namespace fib {

// Where a call puts the objects of its two calls.
enum class placement {
  here,      // on its own PE
  paper,     // on the next two PEs, as on EM-4's two network neighbours
  anywhere,  // where the runtime chooses
};

// How many calls have run on this PE.
inline tsubu::pe_local<std::int64_t> calls_here;

// The program's own steps, in EM-4's clocks, as those of the paper's counters (apps/counter/counters.cpp).
inline constexpr double before_creation = 18;
inline constexpr double before_reply = 8;
inline constexpr double two_boxes = 46;  // assumed: two places for replies, and what is kept over four waits more
inline constexpr double first_wait = 16;

template <placement Where>
class call : public tsubu::object<call<Where>> {
 public:
  call() { tsubu::work(first_wait); }

  // fib(n), which is 1 for n = 1 and 2. The object ends with its answer.
  tsubu::task<std::int64_t> of(int n) {
    ++*calls_here;
    this->retire();
    tsubu::work(before_creation);
    if (n <= 2) co_return 1;
    tsubu::work(two_boxes);
    const auto first = child<1>(), second = child<2>();
    const auto [a, b] =
        co_await tsubu::both(first.template now<&call::of>(n - 1), second.template now<&call::of>(n - 2));
    tsubu::work(before_reply);
    co_return a + b;
  }

  // One that has not begun may be moved to a PE that has nothing to do.
  template <class Archive>
  void serialize(Archive&) {}

 private:
  template <int Step>
  static tsubu::ref<call> child() {
    using namespace tsubu;
    if constexpr (Where == placement::here) return create<call>(here());
    if constexpr (Where == placement::paper) return create<call>(at(neighbour(Step - 1)));
    if constexpr (Where == placement::anywhere) return create<call>(anywhere());
  }
};

// fib(n) by a tree of objects whose first one is on this PE.
template <placement Where>
tsubu::task<std::int64_t> compute(int n) {
  const tsubu::ref<call<Where>> root = tsubu::create<call<Where>>(tsubu::here());
  co_return co_await root.template now<&call<Where>::of>(n);
}

inline tsubu::task<std::int64_t> compute(int n, placement where) {
  switch (where) {
    case placement::here:
      return compute<placement::here>(n);
    case placement::paper:
      return compute<placement::paper>(n);
    case placement::anywhere:
      break;
  }
  return compute<placement::anywhere>(n);
}

// By a loop, to compare with.
constexpr std::int64_t expected(int n) {
  std::int64_t a = 1, b = 1;
  for (int i = 2; i < n; ++i) {
    const std::int64_t sum = a + b;
    a = b;
    b = sum;
  }
  return b;
}

// How many calls fib(n) is: each call of n > 2 is one more than its two.
constexpr std::int64_t expected_calls(int n) { return 2 * expected(n) - 1; }

}  // namespace fib
