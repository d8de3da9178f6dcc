// Promise: a part's time is that of the steady clock while the thread runs, and leaves out what the thread did not get
// of its core, whether that was lost within the part or before it.
#include "tsubu/base/host_clock.hpp"

#include <gtest/gtest.h>
#include <time.h>

namespace tsubu {
namespace {

std::int64_t processor_ns() {
  struct timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

void compute_for(std::int64_t ns) {
  const std::int64_t until = processor_ns() + ns;
  while (processor_ns() < until) continue;
}

void leave_the_core_for(std::int64_t ns) {
  const struct timespec t{0, ns};
  ASSERT_EQ(::nanosleep(&t, nullptr), 0);
}

constexpr std::int64_t ms = 1'000'000;

TEST(host_clock, counts_what_the_thread_computes) {
  host_clock clock;
  clock.begin();
  compute_for(5 * ms);
  const std::int64_t took = clock.took();
  EXPECT_GT(took, 5 * ms - ms / 10);
  EXPECT_LT(took, 6 * ms);
}

TEST(host_clock, leaves_out_what_others_had_within_a_part) {
  host_clock clock;
  clock.begin();
  compute_for(2 * ms);
  leave_the_core_for(50 * ms);
  compute_for(2 * ms);
  const std::int64_t took = clock.took();
  EXPECT_GT(took, 4 * ms - ms / 10);
  EXPECT_LT(took, 6 * ms);
}

TEST(host_clock, what_was_lost_before_a_part_is_not_taken_from_it) {
  host_clock clock;
  leave_the_core_for(50 * ms);
  clock.begin();
  compute_for(3 * ms);
  const std::int64_t took = clock.took();
  EXPECT_GT(took, 3 * ms - ms / 10);
  EXPECT_LT(took, 5 * ms);
}

TEST(host_clock, short_parts_add_up) {
  host_clock clock;
  const std::int64_t before = processor_ns();
  std::int64_t sum = 0;
  clock.begin();
  for (int i = 0; i < 2000; ++i) {
    compute_for(5'000);
    sum += clock.took();
  }
  const std::int64_t all = processor_ns() - before;
  EXPECT_GT(sum, all / 2);
  EXPECT_LT(sum, all * 2);  // short parts may have lost their core unnoticed
}

}  // namespace
}  // namespace tsubu
