// Promise: a monitor tells of the end of its object once, with the reason, whatever the object does meanwhile; one that
// has gone is forgotten; an object that nobody watches is not touched. Method: as in object_test.cpp.
#include "tsubu/object/monitor.hpp"

#include <gtest/gtest.h>

#include "tests/object_job.hpp"
#include "tsubu/object/watches.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::monitor_test {
namespace {

using namespace test;

struct patient : object<patient> {
  patient() = default;
  explicit patient(int) { throw std::out_of_range("stillborn"); }
  void die() { throw std::domain_error("fever"); }
  task<void> die_later() {
    co_await yield();
    die();
  }
  task<int> die_with_result() {
    co_await yield();
    die();
    co_return 1;
  }
  void die_owing(reply_to<int>) { die(); }
  task<void> die_owing_later(reply_to<int>) {
    co_await yield();
    die();
  }
  void leave() { retire(); }
  long get() { return 5; }
  task<void> wait() {
    auto one = accept<&patient::go, &patient::die>();
    co_await one;
  }
  void go() {}
  template <class A>
  void serialize(A&) {}
};

std::size_t watched_on(pe_id pe, interleaved_job& job) {
  job[pe];
  return objects::this_space().watchers().size();
}

template <auto M>
task<void> expect_failed(pe_id on) {
  const ref<patient> p = create<patient>(at(on));
  const monitor ignored(p);
  monitor m(p);
  EXPECT_FALSE(m.told());
  p.past<M>();
  const object_end end = co_await m;
  EXPECT_EQ(end.why, end_reason::failed);
  bool caught = false;
  try {
    std::rethrow_exception(end.error);
  } catch (const std::domain_error& e) {
    caught = std::string(e.what()) == "fever";
  }
  EXPECT_TRUE(caught);
  EXPECT_TRUE(co_await is_gone(p));
}

TEST(monitors, tell_of_what_an_object_failed_by) {
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      for (pe_id pe = 0; pe < 2; ++pe) {
        co_await expect_failed<&patient::die>(pe);
        co_await expect_failed<&patient::die_later>(pe);
        co_await expect_failed<&patient::die_with_result>(pe);
        co_await expect_failed<&patient::die_owing>(pe);
        co_await expect_failed<&patient::die_owing_later>(pe);
      }
    }());
    for (pe_id pe = 0; pe < 2; ++pe) EXPECT_EQ(watched_on(pe, job), 0U);
  }
}

TEST(monitors, tell_of_an_end) {
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      for (pe_id pe = 0; pe < 2; ++pe) {
        const ref<patient> told = create<patient>(at(pe)), retires = create<patient>(at(pe));
        monitor one(told), other(retires);
        told.end();
        retires.past<&patient::leave>();
        EXPECT_EQ((co_await one).why, end_reason::ended);
        EXPECT_EQ((co_await other).why, end_reason::ended);
        EXPECT_EQ((co_await one).error, nullptr);
        monitor late(told);
        EXPECT_EQ((co_await late).why, end_reason::gone);
        // The asker learns of what it asked for; the object lives.
        const ref<patient> asked = create<patient>(at(pe));
        monitor lives(asked);
        bool caught = false;
        try {
          co_await asked.now<&patient::die>();
        } catch (const std::domain_error&) {
          caught = true;
        }
        EXPECT_TRUE(caught);
        EXPECT_FALSE(lives.told());
        EXPECT_EQ(co_await asked.now<&patient::get>(), 5);
      }
    }());
    for (pe_id pe = 0; pe < 2; ++pe) EXPECT_EQ(watched_on(pe, job), 0U);
  }
}

TEST(monitors, follow_an_object_that_moves) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, [](std::uint64_t s) -> task<void> {
      const ref<patient> p = create<patient>(at(1));
      monitor first(p);
      auto moved = p.move_to(2);
      auto second = std::make_unique<monitor>(p);
      co_await std::move(moved);
      monitor third(p);
      if (s % 3 == 0) second.reset();
      auto again = p.move_to(static_cast<pe_id>(s % 2));
      co_await std::move(again);
      EXPECT_FALSE(first.told() || third.told());
      if (s % 2 == 0) {
        p.past<&patient::die>();
      } else {
        p.end();
      }
      const end_reason why = s % 2 == 0 ? end_reason::failed : end_reason::ended;
      EXPECT_EQ((co_await first).why, why);
      EXPECT_EQ((co_await third).why, why);
      if (second != nullptr) {
        EXPECT_EQ((co_await *second).why, why);
      }
    }(seed));
    for (pe_id pe = 0; pe < 3; ++pe) EXPECT_EQ(watched_on(pe, job), 0U);
    if (HasFailure()) return;
  }
}

// Its methods wait, and none of them is asked for this.
TEST(monitors, of_an_object_that_is_busy_or_yet_to_be_made) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    for (pe_id pe = 0; pe < 2; ++pe) {
      const ref<patient> p = create<patient>(at(pe));
      p.past<&patient::wait>();
      monitor m(p);
      co_await p.status();
      p.end();
      p.past<&patient::go>();
      EXPECT_EQ((co_await m).why, end_reason::ended);
    }
    // A name that is known before its object is made.
    const ref<patient> unborn(objects::identity(1, 0, 2, 0));
    monitor early(unborn);
    co_await yield();
    const ref<patient> other = create<patient>(at(1)), born = create<patient>(at(1));
    EXPECT_NE(other, unborn);
    if (born == unborn) {
      born.end();
      EXPECT_EQ((co_await early).why, end_reason::ended);
    }
    EXPECT_EQ(born, unborn);
  }());
}

int escaped_errors = 0;

// Inside another method, which waits, its object cannot end.
TEST(monitors, do_not_take_what_is_thrown_inside_another_method) {
  interleaved_job job(1);
  escaped_errors = 0;
  play(job, true, []() -> task<void> {
    on_past_exception([](std::exception_ptr) { ++escaped_errors; });
    const ref<patient> p = create<patient>(here());
    monitor m(p);
    p.past<&patient::wait>();
    p.past<&patient::die>();
    co_await quiescence();
    EXPECT_EQ(escaped_errors, 1);
    EXPECT_FALSE(m.told());
    EXPECT_EQ(co_await p.now<&patient::get>(), 5);
    // Nobody watches this one.
    create<patient>(here()).past<&patient::die>();
    EXPECT_EQ(escaped_errors, 2);
    // One that could not be made.
    monitor never(create<patient>(here(), 1));
    const object_end end = co_await never;
    EXPECT_EQ(end.why, end_reason::gone);
    std::string said;
    try {
      std::rethrow_exception(end.error);
    } catch (const object_gone& e) {
      said = e.what();
    }
    EXPECT_NE(said.find("could not be made: PE 0 threw std::out_of_range: stillborn"), std::string::npos) << said;
    EXPECT_EQ(escaped_errors, 3);
  }());
}

TEST(monitors, that_have_gone_are_forgotten) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    for (pe_id pe = 0; pe < 2; ++pe) {
      const ref<patient> p = create<patient>(at(pe));
      for (int i = 0; i < 10; ++i) {
        const monitor m(p);
        monitor moved = monitor(p);
        moved = monitor(p);
      }
      const std::size_t watched = co_await p.now([](patient&) { return objects::this_space().watchers().size(); });
      EXPECT_EQ(watched, 0U);
      p.end();
      co_await quiescence();
    }
  }());
}

}  // namespace
}  // namespace tsubu::monitor_test
