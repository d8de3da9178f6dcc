// Promise: PEs and what they keep stay between runs; whatever a run does, its caller goes on, and is told why in the
// words of a job.
#include "tsubu/run/thread_session.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::run_detail {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string> two_pes = {"--tsubu-pes=2", "--tsubu-bind=off"};

pe_local<int> times;

void add(int n) { *times += n; }

// Each PE adds its number and one to all, and tells what it has.
task<void> adds(void* sums) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) co_await at(pe).past<add>(this_pe() + 1);
  co_await quiescence();
  static_cast<std::vector<int>*>(sums)->at(static_cast<std::size_t>(this_pe())) = *times;
}

task<void> nothing(void*) { co_return; }

void run(thread_session& s, thread_session::program program, void* argument = nullptr) {
  s.start(program, argument);
  s.finish();
}

// What a run, or the beginning, has failed for.
template <class F>
session_failed failure_of(F f) {
  try {
    f();
  } catch (const session_failed& failed) {
    return failed;
  }
  return {0, "it has not failed"};
}

TEST(thread_session, keeps_what_pes_have_between_runs) {
  thread_session s(two_pes);
  ASSERT_EQ(s.pes(), 2);
  for (int round = 1; round <= 3; ++round) {
    std::vector<int> sums(2);
    run(s, adds, &sums);
    EXPECT_EQ(sums, (std::vector{3 * round, 3 * round}));
  }
}

TEST(thread_session, begins_anew_a_hundred_times) {
  for (int i = 0; i < 100; ++i) {
    thread_session s(two_pes);
    std::vector<int> sums(2);
    run(s, adds, &sums);
    ASSERT_EQ(sums, (std::vector{3, 3}));
  }
}

TEST(thread_session, ends_without_a_run) {
  for (const char* const pes : {"--tsubu-pes=1", "--tsubu-pes=5"}) const thread_session s({pes, "--tsubu-bind=off"});
}

std::atomic<bool> may_go_on{false};

TEST(thread_session, lets_its_caller_look_at_other_things) {
  thread_session s(two_pes);
  may_go_on = false;
  s.start(
      [](void*) -> task<void> {
        while (!may_go_on.load()) co_await yield();
      },
      nullptr);
  EXPECT_FALSE(s.wait_for(1ms));
  may_go_on = true;
  s.finish();
  EXPECT_TRUE(s.wait_for(0ms));
}

struct odd_number {
  pe_id pe;
};

TEST(thread_session, throws_what_a_program_has_thrown_and_goes_on) {
  thread_session s(two_pes);
  s.start(
      [](void*) -> task<void> {
        if (this_pe() == 1) throw odd_number{1};
        co_return;
      },
      nullptr);
  EXPECT_THROW(s.finish(), odd_number);
  EXPECT_FALSE(s.has_failed());
  run(s, nothing);
}

void breaks_a_contract() { require(this_pe() == 0, "a number {} is no good", 42); }

TEST(thread_session, fails_alone_where_a_contract_is_broken) {
  {
    thread_session s(two_pes);
    s.start(
        [](void*) -> task<void> {
          co_await at(1).past<breaks_a_contract>();
          co_await barrier();
        },
        nullptr);
    const session_failed failed = failure_of([&] { s.finish(); });
    EXPECT_EQ(failed.code, exit_code::failed);
    EXPECT_NE(std::string(failed.what()).find("tsubu: PE 1: a number 42 is no good"), std::string::npos)
        << failed.what();
    EXPECT_TRUE(s.has_failed());
    EXPECT_EQ(failure_of([&] { run(s, nothing); }).code, exit_code::failed);
  }
  thread_session next(two_pes);
  run(next, nothing);
}

TEST(thread_session, fails_alone_where_tasks_wait_for_ever) {
  {
    thread_session s(two_pes);
    s.start(
        [](void*) -> task<void> {
          sync<int> never;
          if (this_pe() == 1) static_cast<void>(co_await never.read());
        },
        nullptr);
    const session_failed failed = failure_of([&] { s.finish(); });
    EXPECT_EQ(failed.code, exit_code::deadlock);
    EXPECT_NE(std::string(failed.what()).find("PE 1: a task waits for sync"), std::string::npos) << failed.what();
  }
  thread_session next(two_pes);
  run(next, nothing);
}

TEST(thread_session, says_what_is_wrong_before_it_begins) {
  const auto begun_with = [](const char* word) { return failure_of([&] { const thread_session s({word}); }); };
  EXPECT_NE(std::string(begun_with("--tsubu-pse=2").what()).find("--tsubu-pes"), std::string::npos);
  EXPECT_NE(std::string(begun_with("--tsubu-pes=5000").what()).find("5000 PEs asked for"), std::string::npos);
  EXPECT_NE(std::string(begun_with("--tsubu-transport=sim").what()).find("threads of its process"), std::string::npos);
  EXPECT_NE(std::string(begun_with("work").what()).find("'work' is no option"), std::string::npos);
  thread_session s(two_pes);
  EXPECT_NE(std::string(begun_with("--tsubu-pes=1").what()).find("a session of this process goes on"),
            std::string::npos);
  run(s, nothing);
}

}  // namespace
}  // namespace tsubu::run_detail
