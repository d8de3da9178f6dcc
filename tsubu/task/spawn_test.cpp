// Promise: the errors that a spawned task may have are given to who takes them; others end the job, as ever.
#include "tsubu/task/spawn.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tsubu/task/run_local.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

task<void> fail(int after_yields) {
  for (int i = 0; i < after_yields; ++i) co_await yield();
  throw std::out_of_range("too far");
}
task<void> end_well(int& ended) {
  co_await yield();
  ++ended;
}

std::string told;
void tell(const std::out_of_range& e) { told += e.what(); }

task<void> one_fails_of_three() {
  int ended = 0, taken = 0;
  const auto take = [&taken](const std::logic_error& e) {  // a base class of what is thrown
    ++taken;
    EXPECT_STREQ(e.what(), "too far");
  };
  spawn(end_well(ended), take);
  spawn(fail(1), take);
  spawn(end_well(ended), take);
  spawn(fail(0), tell);
  EXPECT_EQ(told, "too far");  // it has not waited
  for (int i = 0; i < 4; ++i) co_await yield();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(ended, 2);
}
TEST(spawn, an_error_that_is_taken_ends_its_task_only) { run_local(one_fails_of_three()); }

task<void> fail_otherwise() {
  spawn(fail(0), [](const std::runtime_error&) {});
  co_return;
}
task<void> fail_while_taking() {
  spawn(fail(0), [](const std::out_of_range&) noexcept(false) { throw std::runtime_error("cannot be told"); });
  co_return;
}
TEST(spawn_death, another_error_ends_the_job) {
  EXPECT_EXIT(run_local(fail_otherwise()), testing::ExitedWithCode(1), "std::out_of_range: too far");
  EXPECT_EXIT(run_local(fail_while_taking()), testing::ExitedWithCode(1), "std::runtime_error: cannot be told");
}

}  // namespace
}  // namespace tsubu
