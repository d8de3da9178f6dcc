// Promise: explore() runs each seed once; what goes wrong in one comes back as a failure with the seed, the PEs, how it
// ended and what it said; the other seeds run all the same, and the same ones fail again.
#include "tsubu/sim/explore.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "tsubu/base/clock.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::sim {
namespace {

machine test_machine() { return read_machine("cluster"); }

task<int> sums() {
  const long all = co_await all_reduce(static_cast<long>(this_pe()), reduce::plus);
  co_return all == pe_count() * (pe_count() - 1L) / 2 ? 0 : 1;
}

// Which of the others is first differs from seed to seed.
pe_local<int> first_of_all([] { return -1; });
void come(int who) {
  if (*first_of_all < 0) *first_of_all = who;
}
task<int> one_is_not_first(int code) {
  if (this_pe() != 0) at(0).past<come>(this_pe());
  co_await quiescence();
  const int winner = co_await at(0).now([] { return *first_of_all; });
  if (winner == 1 && code == 1) fail("PE 1 was first");
  co_return winner == 1 ? code : 0;
}
task<int> fails_if_one_is_first() { return one_is_not_first(1); }
task<int> gives_9_if_one_is_first() { return one_is_not_first(9); }

task<int> crashes_on_five() {
  if (pe_count() == 5) ::raise(SIGSEGV);
  co_return 0;
}
task<int> spins() {
  for (volatile bool on = true; on;) continue;
  co_return 0;
}
task<int> waits() {
  promise<int> never;
  if (this_pe() == 1) co_await never.get_future();
  co_return 0;
}

// PE 0 waits for an answer for a while, in which it is found that nothing is wrong, and then for quiescence.
int one() { return 1; }
task<int> ask_often() {
  for (int i = 0; i < 60; ++i) co_await at(2).now<one>();
  co_return 1;
}
std::int64_t waited_ns = 0;
task<int> ask_and_wait() {
  if (this_pe() != 0) co_return 0;
  co_await at(1).now<ask_often>();
  const std::int64_t from = now_ns();
  co_await quiescence();
  waited_ns = now_ns() - from;
  co_return 0;
}

TEST(quiescence, comes_as_soon_in_a_large_job) {
  transport::launch_settings how;
  how.pes = 2048;
  EXPECT_EQ(simulate_once(test_machine(), how, {}, ask_and_wait).code, 0);
  EXPECT_LT(waited_ns, 500'000) << "2 ms without a wave that is wanted soon";
}

TEST(explore, all_pass) {
  const findings found = explore(test_machine(), {.first = 7, .count = 300}, sums);
  EXPECT_EQ(found.runs, 300U);
  EXPECT_GT(found.events, 300U);
  EXPECT_GT(found.seconds, 0.0);
  EXPECT_TRUE(found.failures.empty());
}

TEST(explore, failures_come_back_with_what_they_said) {
  const exploration what{.count = 40, .pes = {3, 4}, .most_failures = 1000};
  const findings found = explore(test_machine(), what, fails_if_one_is_first);
  EXPECT_EQ(found.runs, 40U);
  ASSERT_GT(found.failures.size(), 2U);
  ASSERT_LT(found.failures.size(), 38U);
  for (const failure& f : found.failures) {
    EXPECT_EQ(f.code, 1);
    EXPECT_EQ(f.signal, 0);
    EXPECT_NE(f.said.find("PE 1 was first"), std::string::npos) << f.said;
    EXPECT_NE(f.said.find("--tsubu-seed=" + std::to_string(f.seed) + " with " + std::to_string(f.pes) + " PEs"),
              std::string::npos)
        << f.said;
    EXPECT_EQ(f.pes, draw_pes(f.seed, what.pes));
  }
  // The last alone, and what a program returns.
  exploration alone = what;
  alone.first = found.failures.back().seed;
  alone.count = 1;
  EXPECT_EQ(explore(test_machine(), alone, fails_if_one_is_first).failures.size(), 1U);
  const findings returned = explore(test_machine(), what, gives_9_if_one_is_first);
  ASSERT_EQ(returned.failures.size(), found.failures.size());
  EXPECT_EQ(returned.failures.back().code, 9);
}

TEST(explore, ends_with_so_many_failures) {
  const findings found =
      explore(test_machine(), {.count = 200, .pes = {3, 4}, .most_failures = 2}, fails_if_one_is_first);
  ASSERT_EQ(found.failures.size(), 2U);
  EXPECT_EQ(found.runs, found.failures.back().seed) << "none after it";
}

TEST(explore, crashes_and_hangs) {
  const findings crashed = explore(test_machine(), {.count = 20, .pes = {4, 5}, .most_failures = 100}, crashes_on_five);
  EXPECT_EQ(crashed.runs, 20U);
  ASSERT_FALSE(crashed.failures.empty());
  for (const failure& f : crashed.failures) {
    EXPECT_EQ(f.pes, 5);
    EXPECT_TRUE(f.signal == SIGSEGV || f.code != 0) << "a sanitizer ends the process itself";
  }
  const findings hung = explore(test_machine(), {.count = 1, .wall_limit_s = 1}, spins);
  ASSERT_EQ(hung.failures.size(), 1U);
  EXPECT_EQ(hung.failures[0].signal, SIGALRM);
  const findings waited = explore(test_machine(), {.count = 5, .pes = {3}}, waits);
  ASSERT_EQ(waited.failures.size(), 1U);
  EXPECT_EQ(waited.failures[0].code, exit_code::deadlock);
  EXPECT_NE(waited.failures[0].said.find("PE 1: a task waits for"), std::string::npos);
}

TEST(explore, in_this_process) {
  transport::launch_settings how;
  how.pes = 5;
  engine_settings settings;
  settings.seed = 3;
  const machine m = test_machine();
  const outcome one = simulate_once(m, how, settings, sums), again = simulate_once(m, how, settings, sums);
  EXPECT_EQ(one.code, 0);
  EXPECT_EQ(one.events, again.events);
  EXPECT_EQ(one.time_ps, again.time_ps);
  settings.seed = 4;
  EXPECT_NE(simulate_once(m, how, settings, sums).time_ps, one.time_ps);
}

}  // namespace
}  // namespace tsubu::sim
