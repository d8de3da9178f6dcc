// Promise: who is late is told so, again and again; who is not, is not; and a debugger is seen.
#include "tsubu/run/start_watch.hpp"

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>

namespace tsubu::run_detail {
namespace {

TEST(start_watch, tells_who_is_late_each_time) {
  std::promise<void> thrice;
  int times = 0;
  const start_watch watch(std::chrono::milliseconds(1), [&] {
    if (++times == 3) thrice.set_value();
  });
  thrice.get_future().wait();
}

TEST(start_watch, lets_go_of_who_is_in_time) {
  bool told = false;
  {
    const start_watch watch(std::chrono::hours(24), [&] { told = true; });
  }  // and does not wait for the limit
  EXPECT_FALSE(told);
}

// A child that its parent traces, as a debugger does.
TEST(start_watch, sees_a_debugger) {
  EXPECT_FALSE(is_traced());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(2);
    ::_exit(is_traced() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "this process may not be traced";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tsubu::run_detail
