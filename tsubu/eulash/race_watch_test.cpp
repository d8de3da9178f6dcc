// Promise: two accesses race if they share a byte, one of them writes, and nothing orders them; whatever orders
// accesses of a placed program is known, and orders no others.
#include "tsubu/eulash/race_watch.hpp"

#include <gtest/gtest.h>

namespace tsubu::placed {
namespace {

constexpr std::uint64_t mother = 1, one = 2, two = 3, three = 4;  // threads
constexpr std::uint64_t x = 4096, mutex = 64, other_mutex = 128, barrier = 192;
const eulash_place here = {"here.c", "f", 1, 0}, there = {"there.c", "g", 2, 0};

struct program : testing::Test {
  program() {
    watch.begin_thread(mother, 0);
    for (const std::uint64_t t : {one, two, three}) watch.begin_thread(t, mother);
  }
  bool races(std::uint64_t thread, bool writes, std::uint64_t at = x, std::uint64_t bytes = 8) {
    return watch.access(thread, at, bytes, writes, &here).has_value();
  }
  bool writes_race(std::uint64_t thread) { return races(thread, true); }
  bool reads_race(std::uint64_t thread) { return races(thread, false); }
  race_watch watch;
};

TEST_F(program, writes_and_reads_race_and_reads_alone_do_not) {
  EXPECT_FALSE(reads_race(one));
  EXPECT_FALSE(reads_race(two));
  EXPECT_TRUE(writes_race(three));
}

TEST_F(program, a_race_is_told_with_the_earlier_access) {
  watch.access(one, x, 8, true, &there);
  const auto race = watch.access(two, x + 4, 4, false, &here);
  ASSERT_TRUE(race.has_value());
  EXPECT_EQ(race->address, x + 4);
  EXPECT_EQ(race->thread, one);
  EXPECT_TRUE(race->writes);
  EXPECT_EQ(race->where, &there);
}

TEST_F(program, accesses_without_a_common_byte_do_not_race) {
  EXPECT_FALSE(races(one, true, x, 3));
  EXPECT_FALSE(races(two, true, x + 3, 7));  // of two words
  EXPECT_TRUE(races(three, false, x + 9, 1));
}

TEST_F(program, a_mutex_orders_who_has_had_it_and_no_other_one_does) {
  watch.acquire(one, mutex);
  EXPECT_FALSE(writes_race(one));
  watch.release(one, mutex);
  watch.acquire(two, mutex);
  EXPECT_FALSE(writes_race(two));
  watch.release(two, other_mutex);
  watch.acquire(three, mutex);
  EXPECT_TRUE(reads_race(three));
}

TEST_F(program, what_is_done_after_a_mutex_is_released_is_not_ordered_by_it) {
  watch.release(one, mutex);
  EXPECT_FALSE(writes_race(one));
  watch.acquire(two, mutex);
  EXPECT_TRUE(reads_race(two));
}

TEST_F(program, order_goes_on_through_other_threads) {
  EXPECT_FALSE(writes_race(one));
  watch.release(one, mutex);
  watch.acquire(two, mutex);
  watch.release(two, other_mutex);
  watch.acquire(three, other_mutex);
  EXPECT_FALSE(writes_race(three));
}

TEST_F(program, threads_know_what_their_creator_did_before_and_who_joins_what_they_did) {
  EXPECT_FALSE(races(mother, true, x + 64));
  constexpr std::uint64_t late = 9;
  watch.begin_thread(late, mother);
  EXPECT_FALSE(races(late, true, x + 64));
  EXPECT_TRUE(races(mother, false, x + 64));
  watch.join_thread(mother, late);
  EXPECT_FALSE(races(mother, true, x + 64));
  EXPECT_TRUE(races(one, false, x + 64));
}

TEST_F(program, a_barrier_orders_what_comes_before_it_and_what_comes_after_it) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(writes_race(round % 2 == 0 ? one : two));
    watch.arrive(one, barrier);
    watch.arrive(two, barrier);
    watch.leave(one, barrier);
    watch.leave(two, barrier);
  }
  EXPECT_FALSE(reads_race(two));
}

TEST_F(program, who_leaves_a_barrier_late_does_not_know_of_the_next_one) {
  watch.arrive(one, barrier);
  watch.arrive(two, barrier);
  watch.leave(one, barrier);
  EXPECT_FALSE(writes_race(one));
  watch.arrive(one, barrier);
  watch.leave(two, barrier);
  EXPECT_TRUE(reads_race(two));
}

TEST_F(program, a_read_write_lock_orders_writers_with_all_and_readers_not_with_each_other) {
  watch.acquire(one, mutex);
  EXPECT_FALSE(reads_race(one));
  EXPECT_FALSE(races(one, true, x + 64));
  watch.release_lock(one, mutex);
  watch.acquire(two, mutex);
  EXPECT_TRUE(races(two, false, x + 64));
  watch.release_lock(two, mutex);
  watch.acquire_to_write(three, mutex);
  EXPECT_FALSE(writes_race(three));
  watch.release_lock(three, mutex);
  watch.acquire(one, mutex);
  EXPECT_FALSE(reads_race(one));
}

TEST_F(program, what_is_allocated_again_has_no_past) {
  const eulash_site site = {{"here.c", "f", 5, 0}, "rows", EULASH_INVALIDATE, 0};
  EXPECT_FALSE(races(one, true, x, 10000));
  watch.allocated(x, 8192, site);
  EXPECT_FALSE(races(two, true, x, 8192));
  EXPECT_TRUE(races(two, true, x + 8192, 1));
  EXPECT_EQ(watch.allocation_at(x + 8191).site, &site);
  EXPECT_EQ(watch.allocation_at(x + 8192).site, nullptr);
}

}  // namespace
}  // namespace tsubu::placed
