// Promise: an object that needs no arguments and its first message travel in one packet; what else is sent between goes
// behind the creation; in whatever order new objects are used, those on a PE are made in the order of their creation,
// and their messages find them. Method: as in object_test.cpp, with the packets of each handler counted.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/object_job.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu::first_message_test {
namespace {

using namespace test;

// The numbers of those made on this PE, in order.
inline pe_local<std::vector<int>> made_here;

struct grain : object<grain> {
  grain() { made_here->push_back(static_cast<int>(tsubu_header.number())); }
  long twice(long n) { return 2 * n; }
  void keep(long n) { kept += n; }
  void add_to(reply_to<long> sum, long n) { sum.reply(kept + n); }
  long kept = 0;
};
struct with_argument : object<with_argument> {
  explicit with_argument(long n) : own(n) {}
  long get() { return own; }
  long own;
};

using created = objects::create_object<grain, false, true>;
using asked = objects::ask_method<grain, &grain::twice, objects::short_name>;
using told = objects::past_method<grain, &grain::keep, false, objects::short_name>;
using created_and_asked = objects::with_creation<grain, asked>;
using created_and_told = objects::with_creation<grain, told>;

template <class Handler>
std::uint64_t sent(interleaved_job& job, pe_id by) {
  const std::uint32_t number = message::registered<Handler>::entry.number;
  return job[by].messages.by_handler()[number].sent;
}

TEST(first_message, takes_the_creation_along) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    for (long i = 0; i < 10; ++i) {
      ref<grain> asked_at_once = create<grain>(at(1));
      EXPECT_EQ(co_await asked_at_once.now<&grain::twice>(i), 2 * i);
      ref<grain> told_at_once = create<grain>(at(1));
      told_at_once.past<&grain::keep>(i);
      EXPECT_EQ(co_await told_at_once.now<&grain::add_to>(1), i + 1);
    }
  }());
  EXPECT_EQ(sent<created_and_asked>(job, 0), 10U);
  EXPECT_EQ(sent<created_and_told>(job, 0), 10U);
  EXPECT_EQ(sent<created>(job, 0), 0U);
  EXPECT_EQ(sent<asked>(job, 0), 0U);
  EXPECT_EQ(sent<told>(job, 0), 0U);
  job[0];
}

TEST(first_message, of_two_children_that_are_asked_together) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    ref<grain> one = create<grain>(at(1)), other = create<grain>(at(2));
    const auto [a, b] = co_await both(one.now<&grain::twice>(1), other.now<&grain::twice>(2));
    EXPECT_EQ(a + b, 6);
  }());
  EXPECT_EQ(sent<created_and_asked>(job, 0), 2U);
  job[0];
}

// An epoch counts what it sends, so nothing is deferred in one; and what must not wait does not.
TEST(first_message, goes_alone_in_an_epoch) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    long answer = 0;
    co_await epoch([&answer]() -> task<void> {
      ref<grain> g = create<grain>(at(1));
      answer = co_await g.now<&grain::twice>(4);
    });
    EXPECT_EQ(answer, 8);
  }());
  EXPECT_EQ(sent<remote::in_epoch<created>>(job, 0), 1U);
  EXPECT_EQ(sent<created_and_asked>(job, 0), 0U);
  job[0];
}

// Tells itself something while it is made, so that its first message finds it busy.
struct tells_itself : object<tells_itself> {
  tells_itself() { self().past<&tells_itself::note>(1); }
  void note(int n) { noted.push_back(n); }
  std::vector<int> all() { return noted; }
  std::vector<int> noted;
};

TEST(first_message, is_express_if_it_was_sent_so) {
  using express = objects::past_method<tells_itself, &tells_itself::note, true, objects::short_name>;
  for (const bool on_the_stack : {false, true}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      ref<tells_itself> at_once = create<tells_itself>(at(1));
      at_once.express<&tells_itself::note>(2);
      const std::vector<int> express_first = co_await at_once.now<&tells_itself::all>();
      EXPECT_EQ(express_first, (std::vector{2, 1}));
      ref<tells_itself> in_turn = create<tells_itself>(at(1));
      in_turn.past<&tells_itself::note>(2);
      const std::vector<int> in_order = co_await in_turn.now<&tells_itself::all>();
      EXPECT_EQ(in_order, (std::vector{1, 2}));
    }());
    EXPECT_EQ((sent<objects::with_creation<tells_itself, express>>(job, 0)), 1U);
    job[0];
  }
}

std::size_t made() { return made_here->size(); }

TEST(first_message, what_is_sent_between_finds_the_object_made) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    interleaved_job job(2, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      ref<grain> g = create<grain>(at(1));
      auto seen = at(1).future<made>();
      EXPECT_EQ(co_await g.now<&grain::twice>(3), 6);
      EXPECT_EQ(co_await std::move(seen), 1U);
      create<grain>(at(1));
      EXPECT_EQ(co_await at(1).now<made>(), 2U);
      ref<with_argument> other = create<with_argument>(at(1), 5);
      EXPECT_EQ(co_await other.now<&with_argument::get>(), 5);
    }());
    if (HasFailure()) return;
  }
}

// Objects on all PEs, created in turns and asked, told or left alone in any order.
task<void> create_and_use(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20; ++round) {
    std::vector<ref<grain>> some;
    for (std::uint64_t n = random() % 7; n-- > 0;)
      some.push_back(create<grain>(at(static_cast<pe_id>(random() % static_cast<std::uint64_t>(pe_count())))));
    std::shuffle(some.begin(), some.end(), random);
    for (ref<grain>& g : some) {
      switch (random() % 4) {
        case 0:
          EXPECT_EQ(co_await g.now<&grain::twice>(7), 14);
          break;
        case 1:
          g.past<&grain::keep>(5);
          EXPECT_EQ(co_await g.now<&grain::add_to>(1), 6);
          break;
        case 2:
          g.past<&grain::keep>(5);
          break;
        default:
          break;
      }
    }
  }
}
TEST(first_message, in_any_order) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto pes = static_cast<pe_id>(2 + seed % 4);
    interleaved_job job(pes, seed, seed % 7 == 0 ? 2 : 1);
    play(job, seed % 2 == 0, [](std::uint64_t s) -> task<void> { co_await create_and_use(s); }(seed));
    for (pe_id pe = 1; pe < pes; ++pe) {
      job[pe];
      EXPECT_TRUE(std::is_sorted(made_here->begin(), made_here->end())) << "PE " << pe;
    }
    job[0];
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tsubu::first_message_test
