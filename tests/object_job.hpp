// For unit tests of objects: a program on all PEs of an interleaved job, with messages executed on their sender's stack
// or queued.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "tests/interleaved_job.hpp"
#include "tsubu/object/create.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::test {

inline std::uint64_t first_seed() {
  const char* chosen = std::getenv("OBJECT_TEST_SEED");
  const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  return first;
}

inline std::uint64_t seeds() {
  const char* n = std::getenv("OBJECT_TEST_SEEDS");
  return n != nullptr ? std::strtoull(n, nullptr, 10) : 3000;
}

// Outside the drivers no stack is deep enough to execute a message on it; while this lives, it is.
class stack_scope {
 public:
  explicit stack_scope(bool on) : before_(this_stack_limit) {
    if (on) this_stack_limit = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 256 * 1024;
  }
  stack_scope(const stack_scope&) = delete;
  stack_scope& operator=(const stack_scope&) = delete;
  ~stack_scope() { this_stack_limit = before_; }

 private:
  std::uintptr_t before_;
};

inline task<void> to_its_end(task<void> program) {
  co_await std::move(program);
  remote::current_pe->quiescence.program_ended(0);
}

// Runs `program` on PE 0 until the job ends.
inline void play(interleaved_job& job, bool on_the_stack, task<void> program) {
  // What a fiber needs of its thread.
  for (pe_id pe = 0; pe < job.wires().size(); ++pe) const task_context_scope known(job[pe].tasks);
  const stack_scope stack(on_the_stack);
  job[0].expect_programs(1);
  spawn(to_its_end(std::move(program)));
  ASSERT_TRUE(job.run()) << "the job does not end";
}

// A stack that is too deep for one more method.
class deep_stack {
 public:
  deep_stack() : before_(std::exchange(this_stack_limit, std::numeric_limits<std::uintptr_t>::max())) {}
  deep_stack(const deep_stack&) = delete;
  deep_stack& operator=(const deep_stack&) = delete;
  ~deep_stack() { this_stack_limit = before_; }

 private:
  std::uintptr_t before_;
};

template <class T>
task<bool> is_gone(ref<T> r) {
  try {
    co_await r.template now<&T::get>();
  } catch (const object_gone&) {
    co_return true;
  }
  co_return false;
}

}  // namespace tsubu::test
