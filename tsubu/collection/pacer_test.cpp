// Promise: as --tsubu-collect says, a program that makes objects and forgets them stays in the memory of what it holds,
// though it never calls collect(). Method: programs that make many, on 1 to 4 PEs, and count those that live.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/object_job.hpp"
#include "tsubu/collection/collect.hpp"
#include "tsubu/collection/settings.hpp"
#include "tsubu/collection/slice.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::collection_test {
namespace {

using namespace test;

struct counts {
  int made = 0;
  int living = 0;
  int most_living = 0;
};
counts* all = nullptr;

struct link : collected_object<link> {
  link() = default;
  explicit link(strong_ref<link> to) : other(std::move(to)) {
    ++all->made;
    all->most_living = std::max(all->most_living, ++all->living);
  }
  ~link() { --all->living; }
  void join(strong_ref<link> to) { other = std::move(to); }
  void look() {}
  strong_ref<link> other;

  template <class A>
  void serialize(A& a) {
    a(other);
  }
};

void come_by() {}

// Pairs that know each other, on two PEs.
task<void> make_and_forget(int pairs) {
  for (int i = 0; i < pairs; ++i) {
    const strong_ref<link> first = create<link>(at(i % pe_count()), strong_ref<link>());
    first->past<&link::join>(create<link>(at((i + 1) % pe_count()), first));
    if (i % 16 == 0) co_await at((this_pe() + 1) % pe_count()).now<come_by>();
  }
}

counts played(collection::collection_settings how, pe_id pes, task<void> program) {
  counts here;
  all = &here;
  {
    interleaved_job job(pes, 1);
    for (pe_id pe = 0; pe < pes; ++pe) {
      job[pe];
      collection::configure(how);
    }
    play(job, false, std::move(program));
  }
  all = nullptr;
  return here;
}

TEST(pacer, bounds_what_is_forgotten) {
  for (pe_id pes = 1; pes <= 3; ++pes) {
    const counts c = played({.when = collection::pace::automatic}, pes, make_and_forget(100'000));
    EXPECT_EQ(c.made, 200'000);
    // 10,000 on each PE before it asks, and what is made until all have looked.
    EXPECT_LT(c.most_living, 60'000) << "on " << pes << " PEs";
  }
}

// Each is known to nobody but the task.
task<void> make_one_by_one(int objects) {
  for (int i = 0; i < objects; ++i) {
    const strong_ref<link> one = create<link>(at(this_pe()), strong_ref<link>());
    one->past<&link::look>();
    if (i % 16 == 0) co_await yield();
  }
}

TEST(pacer, ends_at_once_what_was_never_elsewhere) {
  const counts c = played({.when = collection::pace::automatic}, 2, make_one_by_one(100'000));
  EXPECT_EQ(c.made, 100'000);
  EXPECT_LT(c.most_living, 1'000) << "far less than a cycle waits for";
  const counts off = played({.when = collection::pace::off}, 2, make_one_by_one(1'000));
  EXPECT_EQ(off.most_living, 1'000);
}

TEST(pacer, off_is_off) {
  const counts c = played({.when = collection::pace::off}, 2, make_and_forget(20'000));
  EXPECT_EQ(c.most_living, 40'000);
}

TEST(pacer, collects_when_idle) {
  const auto program = [](int rounds) -> task<void> {
    for (int i = 0; i < rounds; ++i) {
      co_await make_and_forget(1'000);
      co_await quiescence();
    }
  };
  const counts c = played({.when = collection::pace::when_idle}, 2, program(20));
  EXPECT_EQ(c.made, 40'000);
  EXPECT_LT(c.most_living, 8'000);
}

TEST(pacer, takes_its_time) {
  const counts never =
      played({.when = collection::pace::timed, .every_ns = 1'000'000'000'000}, 2, make_and_forget(5'000));
  EXPECT_EQ(never.most_living, 10'000);
  const counts always = played({.when = collection::pace::timed}, 2, make_and_forget(20'000));
  EXPECT_LT(always.most_living, 10'000);
}

TEST(pauses, are_told_apart_by_a_sixteenth_of_an_octave) {
  collection::pause_lengths lengths;
  EXPECT_EQ(lengths.quantile_ns(0.99), 0);
  for (int i = 0; i < 990; ++i) lengths.add(1'000);
  for (int i = 0; i < 9; ++i) lengths.add(40'000);
  lengths.add(70'000);
  EXPECT_EQ(lengths.count(), 1'000U);
  EXPECT_EQ(lengths.longest_ns(), 70'000);
  EXPECT_NEAR(static_cast<double>(lengths.quantile_ns(0.5)), 1'000, 65);
  EXPECT_NEAR(static_cast<double>(lengths.quantile_ns(0.995)), 40'000, 2'500);
  collection::pause_lengths twice = lengths;
  twice.add(lengths);
  EXPECT_EQ(twice.count(), 2'000U);
  EXPECT_EQ(twice.quantile_ns(0.995), lengths.quantile_ns(0.995));
}

}  // namespace
}  // namespace tsubu::collection_test
