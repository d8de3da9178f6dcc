// Promise: a stack is at least as large as asked for, has a page below it that nobody may touch, and is used again.
#include "tsubu/task/fiber_stack.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <vector>

#include "tsubu/base/sanitized_program.hpp"

namespace tsubu::detail {
namespace {

TEST(fiber_stack, is_as_large_as_asked_for_and_writable) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{100'000}}) {
    const fiber_stack stack = fiber_stack::take(bytes);
    EXPECT_GE(stack.bytes(), bytes);
    EXPECT_EQ(stack.end(), reinterpret_cast<std::uintptr_t>(stack.bottom()) + stack.bytes());
    std::memset(stack.bottom(), 1, stack.bytes());
    stack.give_back();
  }
}

TEST(fiber_stack, is_used_again_for_the_same_size_only) {
  const fiber_stack first = fiber_stack::take(50'000);
  first.give_back();
  const fiber_stack other = fiber_stack::take(90'000);
  EXPECT_NE(other.bottom(), first.bottom());
  const fiber_stack again = fiber_stack::take(50'000);
  EXPECT_EQ(again.bottom(), first.bottom());
  other.give_back();
  again.give_back();
}

TEST(fiber_stack, spreads_the_tops_over_a_page) {
  const std::size_t first = fiber_stack::next_spread(), second = fiber_stack::next_spread();
  EXPECT_NE(first, second);
  for (int i = 0; i < 100; ++i) EXPECT_LT(fiber_stack::next_spread(), 4096U);
}

// Takes stacks until there is none; what is said then.
[[noreturn]] void take_all(std::size_t bytes) {
  std::vector<fiber_stack> all;
  try {
    while (true) all.push_back(fiber_stack::take(bytes));
  } catch (const std::bad_alloc& e) {
    ::dprintf(STDERR_FILENO, "%s\n", e.what());
  }
  ::_exit(0);
}

TEST(fiber_stack_death_test, says_what_limit_it_has_met) {
  if (sanitizer::has_address() || sanitizer::has_thread()) GTEST_SKIP() << "a sanitizer has mappings of its own";
  const auto short_of_addresses = [] {
    const rlimit few{std::size_t{1} << 30, RLIM_INFINITY};
    ::setrlimit(RLIMIT_AS, &few);
    take_all(std::size_t{64} << 20);
  };
  EXPECT_EXIT(short_of_addresses(), testing::ExitedWithCode(0),
              "no stack of 67108864 bytes for another fiber: Cannot allocate memory; .* 1048576 KiB .*ulimit -v");
  std::ifstream limit("/proc/sys/vm/max_map_count");
  std::size_t mappings = 0;
  limit >> mappings;
  if (mappings == 0 || mappings > 200'000) GTEST_SKIP() << "too many to try";
  EXPECT_EXIT(take_all(4096), testing::ExitedWithCode(0), "Cannot allocate memory; .*mappings.*vm.max_map_count=");
}

TEST(fiber_stack_death_test, has_a_guard_page_below) {
  const fiber_stack stack = fiber_stack::take(50'000);
  EXPECT_DEATH(*(static_cast<volatile char*>(stack.bottom()) - 1) = 1, "");
  stack.give_back();
}

}  // namespace
}  // namespace tsubu::detail
