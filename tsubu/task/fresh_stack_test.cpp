#include "tsubu/task/fresh_stack.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tsubu {
namespace {

// Deeper than any stack that the system gives: each call has a frame of more than 100 bytes.
constexpr std::int64_t deep = 120'000;

struct too_deep : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[gnu::noinline]] std::string nested(std::int64_t n, bool throws, int& stacks) {
  if (needs_fresh_stack()) {
    ++stacks;
    return on_fresh_stack([&]() { return nested(n, throws, stacks); });
  }
  if (n == 0 && throws) throw too_deep("at the bottom");
  if (n == 0) return "the bottom, a text that takes memory of its own";
  const std::string below = nested(n - 1, throws, stacks);
  return n % 1000 == 0 ? below + '.' : below;
}

// Promise: a recursion that asks at each step is as deep as there is memory, and its value comes back.
TEST(fresh_stack, is_there_when_the_running_one_is_used_up) {
  int stacks = 0;
  const std::string all = nested(deep, false, stacks);
  EXPECT_EQ(all.size(), std::string("the bottom, a text that takes memory of its own").size() + deep / 1000);
  EXPECT_GT(stacks, 1);
}

// Promise: an exception passes all of them, and the limit is what it was.
TEST(fresh_stack, lets_exceptions_pass) {
  const std::uintptr_t before = this_stack_limit;
  for (int round = 0; round < 2; ++round) {
    int stacks = 0;
    try {
      nested(deep, true, stacks);
      FAIL() << "nothing was thrown";
    } catch (const too_deep& e) {
      EXPECT_STREQ(e.what(), "at the bottom");
    }
    EXPECT_EQ(this_stack_limit, before);
  }
}

}  // namespace
}  // namespace tsubu
