// Promise: a cancelled source is known on every PE that has asked or waits, whoever cancelled it and whenever; what
// waits throws who and where; nobody else is disturbed; no PE keeps more than what lives and a bounded memory of what
// is over. Method: random sources, parents, waits and cancels over random interleavings of the PEs, and each rule by
// itself. CANCEL_TEST_SEED begins elsewhere.
#include "tsubu/remote/messages/cancel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/interleaved_job.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::cancel_test {
namespace {

using namespace std::chrono_literals;
using test::interleaved_job;

// One thread holds all PEs, so plain variables see everything.
int waits_cut = 0;
int waits_done = 0;
std::mt19937_64* dice = nullptr;
long roll(long n) { return static_cast<long>((*dice)() % static_cast<std::uint64_t>(n)); }

void run_program(pe_id pes, std::uint64_t seed, task<void> (*program)()) {
  interleaved_job job(pes, seed);
  dice = &job.random();
  job[0].expect_programs(1);
  spawn([](task<void> (*body)()) -> task<void> {
    co_await body();
    remote::current_pe->quiescence.program_ended(0);
  }(program));
  ASSERT_TRUE(job.run()) << "the job does not end, seed " << seed;
}

TEST(cancelled, keeps_all_that_it_says_on_its_way) {
  interleaved_job job(2);
  job[1];
  for (const auto why : {cancelled::reason::asked, cancelled::reason::time_up}) {
    const cancelled one(7, "some at place: 3.cpp", 42, why);
    remote::error_report travels;
    try {
      throw cancelled(one);
    } catch (const cancelled&) {
      travels = remote::error_being_handled();
    }
    try {
      std::rethrow_exception(remote::exception_of(travels));
    } catch (const cancelled& same) {
      EXPECT_EQ(same.pe(), 7);
      EXPECT_EQ(same.file(), "some at place: 3.cpp");
      EXPECT_EQ(same.line(), 42U);
      EXPECT_EQ(same.time_up(), why == cancelled::reason::time_up);
      EXPECT_STREQ(same.what(), one.what());
    }
  }
}

// ---- one wait and one cancel, in every order

task<void> wait_for_ever(cancel_token token) {
  sync<int> never;
  const auto read = [](sync<int>* box) -> task<int> { co_return co_await box->read(); };
  bool cut = false;
  try {
    co_await or_cancelled(token, read(&never));
  } catch (const cancelled& c) {
    cut = true;
    EXPECT_EQ(c.pe(), token.why()->pe());
    EXPECT_NE(c.file().find("cancel_test.cpp"), std::string::npos);
  }
  EXPECT_TRUE(cut);
  EXPECT_TRUE(token.cancelled());
  ++waits_cut;
  never.write(0);  // what was waited for goes on
  co_await yield();
}
task<int> answer_after_naps(cancel_token token, int naps) {
  for (int i = 0; i < naps; ++i) {
    co_await sleep_for(100us);
    token.throw_if_cancelled();
  }
  co_return naps;
}
void cancel_here(cancel_token token) { token.cancel(); }

TEST(cancel, before_during_and_after_on_any_pe) {
  const auto program = []() -> task<void> {
    for (int round = 0; round < 40; ++round) {
      waits_cut = 0;
      const int waits = static_cast<int>(roll(6));
      const bool before = roll(3) == 0;
      const auto canceller = static_cast<pe_id>(roll(pe_count()));
      cancel_source source;
      const cancel_token token = source.token();
      if (before) co_await at(canceller).now<cancel_here>(token);
      std::vector<future<void>> waiting;
      for (int i = 0; i < waits; ++i)
        waiting.push_back(at(static_cast<pe_id>(roll(pe_count()))).future<wait_for_ever>(token));
      if (roll(2) == 0) co_await sleep_for(20us);
      if (!before) co_await at(canceller).now<cancel_here>(token);
      for (auto& one : waiting) co_await std::move(one);
      EXPECT_EQ(waits_cut, waits);
      co_await quiescence();
      EXPECT_TRUE(source.cancelled());
      EXPECT_EQ(token.why()->pe(), canceller);
      token.cancel();  // once is enough
      EXPECT_EQ(token.why()->pe(), canceller);
    }
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) run_program(1 + static_cast<pe_id>(seed % 4), seed, program);
}

// ---- what a caller gets

TEST(cancel, a_caller_elsewhere_gets_the_type) {
  run_program(3, 1, []() -> task<void> {
    cancel_source source;
    auto answer = at(2).future<answer_after_naps>(source.token(), 1'000'000);
    co_await sleep_for(1ms);
    source.cancel();
    bool told = false;
    try {
      co_await std::move(answer);
    } catch (const cancelled& c) {
      told = c.pe() == 0 && !c.time_up() && std::string(c.what()).starts_with("cancelled by PE 0 at ");
    }
    EXPECT_TRUE(told);
    // One that is not cancelled comes to its value, and to its own exceptions.
    cancel_source other;
    const int value = co_await or_cancelled(other.token(), at(1).future<answer_after_naps>(other.token(), 3));
    EXPECT_EQ(value, 3);
    bool threw = false;
    try {
      co_await or_cancelled(other.token(), at(1).future([]() { throw std::runtime_error("no"); }));
    } catch (const remote_error& e) {
      threw = e.message() == "no";
    }
    EXPECT_TRUE(threw);
    const int unnamed = co_await or_cancelled(cancel_token(), at(1).future<answer_after_naps>(cancel_token(), 2));
    EXPECT_EQ(unnamed, 2);
  });
}

TEST(cancel, a_task_is_not_begun_when_it_is_too_late) {
  run_program(2, 1, []() -> task<void> {
    static bool begun;
    begun = false;
    cancel_source source;
    source.cancel();
    const auto work = []() -> task<void> {
      begun = true;
      co_return;
    };
    bool told = false;
    try {
      co_await or_cancelled(source.token(), work());
    } catch (const cancelled&) {
      told = true;
    }
    EXPECT_TRUE(told);
    EXPECT_FALSE(begun);
  });
}

// ---- time

TEST(cancel, after_a_time) {
  run_program(2, 3, []() -> task<void> {
    cancel_source source;
    source.cancel_after(2ms);
    source.cancel_after(1h);  // the earliest counts
    const std::int64_t began_ns = this_task_context->now();
    bool told = false;
    try {
      co_await at(1).now<answer_after_naps>(source.token(), 1'000'000);
    } catch (const cancelled& c) {
      told = c.time_up() && c.pe() == 0 && std::string(c.what()).find("the time was up") != std::string::npos;
    }
    EXPECT_TRUE(told);
    EXPECT_GE(this_task_context->now() - began_ns, 2'000'000);
    {
      cancel_source ends_before;
      ends_before.cancel_after(1h);
    }
    cancel_source at_once;
    at_once.cancel_after(0s);
    EXPECT_TRUE(at_once.cancelled());
    co_await quiescence();  // an hour is not waited for
    EXPECT_LT(this_task_context->now() - began_ns, 3'600'000'000'000);
  });
}

// An epoch does not wait for a deadline, nor for messages about tokens.
TEST(cancel, a_deadline_belongs_to_no_epoch) {
  run_program(2, 4, []() -> task<void> {
    const std::int64_t began_ns = this_task_context->now();
    cancel_source source;
    const auto body = [&]() -> task<void> {
      source.cancel_after(1h);
      co_await at(1).now([](cancel_token t) { return t.cancelled(); }, source.token());
    };
    co_await epoch(body);
    EXPECT_LT(this_task_context->now() - began_ns, 3'600'000'000'000);
  });
}

// ---- families

TEST(cancel, children_go_with_their_parent_and_not_the_other_way_round) {
  run_program(3, 5, []() -> task<void> {
    cancel_source parent;
    cancel_source first(parent.token());
    cancel_source second(parent.token());
    cancel_source grandchild(first.token());
    first.cancel();
    EXPECT_TRUE(grandchild.cancelled());
    EXPECT_FALSE(parent.cancelled());
    EXPECT_FALSE(second.cancelled());
    // One on another PE, of a parent here.
    auto far = at(2).future(
        [](cancel_token of) -> task<bool> {
          const cancel_source child(of);
          sync<int> never;
          const auto read = [](sync<int>* box) -> task<int> { co_return co_await box->read(); };
          bool cut = false;
          try {
            co_await or_cancelled(child.token(), read(&never));
          } catch (const cancelled& c) {
            cut = c.pe() == 1;
          }
          never.write(0);
          co_await yield();
          co_return cut;
        },
        parent.token());
    co_await sleep_for(1ms);
    co_await at(1).now<cancel_here>(parent.token());
    const bool cut = co_await std::move(far);
    EXPECT_TRUE(cut);
    EXPECT_TRUE(second.cancelled());
    EXPECT_EQ(second.token().why()->pe(), 1);
    const cancel_source late(parent.token());
    EXPECT_TRUE(late.cancelled());
  });
}

TEST(cancel, a_long_line_of_children_needs_no_stack) {
  run_program(1, 6, []() -> task<void> {
    std::vector<cancel_source> line(1);
    for (int i = 0; i < 200'000; ++i) line.emplace_back(line.back().token());
    line.front().cancel();
    EXPECT_TRUE(line.back().cancelled());
    co_return;
  });
}

// ---- lifetime

TEST(cancel, a_token_that_outlives_its_source_stays_as_it_was) {
  run_program(3, 7, []() -> task<void> {
    cancel_token cut, spared;
    {
      cancel_source one, two;
      cut = one.token();
      spared = two.token();
      EXPECT_NE(cut, spared);
      co_await at(1).now([](cancel_token t) { return t.cancelled(); }, cut);
      co_await at(1).now([](cancel_token t) { return t.cancelled(); }, spared);
      one.cancel();
      cancel_source moved = std::move(one);
      EXPECT_TRUE(moved.cancelled());
    }
    EXPECT_TRUE(cut.cancelled());
    EXPECT_FALSE(spared.cancelled());
    spared.cancel();
    EXPECT_FALSE(spared.cancelled());
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      const auto asks = [](cancel_token c, cancel_token s) -> task<bool> {
        c.cancelled();
        s.cancelled();
        co_await sleep_for(1ms);  // PE 2 asks for the first time
        co_return c.cancelled() && !s.cancelled();
      };
      const bool right = co_await at(pe).now(asks, cut, spared);
      EXPECT_TRUE(right) << "on PE " << pe;
    }
    // A wait with a token of no source goes on.
    const int value = co_await or_cancelled(spared, at(1).future<answer_after_naps>(spared, 2));
    EXPECT_EQ(value, 2);
  });
}

// Far more than are remembered.
TEST(cancel, many_sources_come_and_go) {
  run_program(2, 8, []() -> task<void> {
    cancel_token first;
    for (int i = 0; i < 5000; ++i) {
      cancel_source source;
      if (i == 0) first = source.token();
      const bool there = co_await at(1).now([](cancel_token t) { return t.cancelled(); }, source.token());
      EXPECT_FALSE(there);
      if (i % 2 == 0) source.cancel();
    }
    EXPECT_FALSE(first.cancelled());  // forgotten, and safe
    const bool known = co_await at(1).now([](cancel_token t) { return t.cancelled(); }, first);
    EXPECT_FALSE(known);
  });
}

// ---- damaged names

task<void> wait_till_cut(cancel_token token) {
  sync<int> never;
  const auto read = [](sync<int>* box) -> task<int> { co_return co_await box->read(); };
  try {
    co_await or_cancelled(token, read(&never));
  } catch (const cancelled& c) {
    waits_cut += c.pe() == 0 ? 1 : 0;
  }
  never.write(0);  // what was waited for goes on
  co_await yield();
}

// What a PE remembers of what is over is less than what may wait.
TEST(cancel, waits_that_are_many_are_all_told_why) {
  run_program(2, 6, []() -> task<void> {
    constexpr int many = 1500;
    std::vector<cancel_source> sources(many);
    std::vector<future<void>> waiting;
    waits_cut = 0;
    for (const cancel_source& s : sources) waiting.push_back(at(1).future<wait_till_cut>(s.token()));
    co_await sleep_for(1ms);
    for (const cancel_source& s : sources) s.cancel();
    for (auto& one : waiting) co_await std::move(one);
    EXPECT_EQ(waits_cut, many);
    // At home, where the sources end before the waits go on.
    waits_cut = 0;
    std::vector<cancel_source> others(many);
    std::vector<future<void>> here;
    for (const cancel_source& s : others) here.push_back(start(wait_till_cut(s.token())));
    co_await sleep_for(1ms);  // until all wait
    for (const cancel_source& s : others) s.cancel();
    others.clear();
    for (auto& one : here) co_await std::move(one);
    EXPECT_EQ(waits_cut, many);
  });
}

task<void> many_come_and_go() {
  for (int i = 0; i < 1500; ++i) {
    const cancel_source s;
    (void)s.cancelled();
  }
  co_return;
}

TEST(cancel, once_it_says_yes_it_stays_so) {
  run_program(2, 7, []() -> task<void> {
    cancel_source source;
    source.cancel();
    const auto asked = [](cancel_token t) { return t.cancelled(); };
    (void)co_await at(1).now(asked, source.token());
    co_await sleep_for(1ms);
    bool told = co_await at(1).now(asked, source.token());
    EXPECT_TRUE(told);
    co_await at(1).now<many_come_and_go>();
    told = co_await at(1).now(asked, source.token());
    EXPECT_TRUE(told);
  });
}

TEST(cancel, to_ask_and_to_throw_agree_on_what_is_forgotten) {
  run_program(1, 8, []() -> task<void> {
    cancel_token left_over;
    {
      const cancel_source source;
      source.cancel();
      left_over = source.token();
      EXPECT_TRUE(left_over.cancelled());
    }
    for (int i = 0; i < 1500; ++i) const cancel_source unasked;
    left_over.throw_if_cancelled();  // forgotten: it says no
    EXPECT_FALSE(left_over.cancelled());
    co_return;
  });
}

TEST(cancel, a_wait_may_have_no_limit) {
  run_program(1, 9, []() -> task<void> {
    const cancel_source source;
    auto waits = start(or_cancelled(source.token(), std::chrono::nanoseconds::max()));
    co_await sleep_for(1ms);
    EXPECT_FALSE(waits.ready());
    source.cancel();
    bool told = false;
    try {
      co_await std::move(waits);
    } catch (const cancelled&) {
      told = true;
    }
    EXPECT_TRUE(told);
  });
}

TEST(cancel_death, a_name_of_nobody) {
  const auto ask = [](std::uint64_t name) {
    interleaved_job job(2);
    job[0].expect_programs(1);
    (void)cancel_token(name).cancelled();
    job.run();
  };
  EXPECT_EXIT(ask((std::uint64_t{5} << 44) + 1), testing::ExitedWithCode(exit_code::failed),
              "a cancel_token names a source of PE 5, but the job's PEs are 0 to 1");
  EXPECT_EXIT(ask(3), testing::ExitedWithCode(exit_code::failed), "names source 3 of PE 0, which has made 0");
  EXPECT_EXIT(ask((std::uint64_t{1} << 44) + 3), testing::ExitedWithCode(exit_code::failed),
              "names source 3 of PE 1, which has made 0");
}

// ---- all at once

// A tree of calls, some with sources of their own, of which some are cancelled, by whoever.
task<int> grow(cancel_token token, int depth) {
  const cancel_source own(token);
  if (roll(4) == 0) own.cancel_after(std::chrono::microseconds(roll(300)));
  std::vector<future<int>> branches;
  if (depth > 0) {
    for (long n = 1 + roll(3); n > 0; --n)
      branches.push_back(at(static_cast<pe_id>(roll(pe_count()))).future<grow>(own.token(), depth - 1));
  }
  int done = 0;
  try {
    co_await or_cancelled(own.token(), std::chrono::microseconds(roll(200)));
    if (roll(10) == 0) token.cancel();
    token.throw_if_cancelled();
    ++waits_done;
    done = 1;
  } catch (const cancelled&) {
    EXPECT_TRUE(own.cancelled() || token.cancelled());
    ++waits_cut;
  }
  for (auto& branch : branches) {
    try {
      done += co_await std::move(branch);
    } catch (const cancelled&) {
      ADD_FAILURE() << "a branch keeps its own";
    }
  }
  co_return done;
}

TEST(cancel, random_trees) {
  const char* const given = std::getenv("CANCEL_TEST_SEED");
  const std::uint64_t first = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  waits_cut = waits_done = 0;
  for (std::uint64_t seed = first; seed < first + 60; ++seed) {
    run_program(1 + static_cast<pe_id>(seed % 5), seed, []() -> task<void> {
      const int before = waits_done;
      const cancel_source root;
      if (roll(2) == 0) root.cancel_after(std::chrono::microseconds(roll(1000)));
      const int done = co_await grow(root.token(), 5);
      EXPECT_EQ(done, waits_done - before);
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(waits_cut, 100);
  EXPECT_GT(waits_done, 100);
}

}  // namespace
}  // namespace tsubu::cancel_test
