// Promise: nobody goes on before the stated number has arrived, each round anew, whatever PEs they are on, and all who
// wait go on then. Method: rounds over random interleavings of the PEs (interleaved_job).
#include "tsubu/data/sync/named_barrier.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/shared_job.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::data_test {
namespace {

named_barrier meeting;  // one thread holds all PEs: plain variables are seen by all
long arrived = 0;

void run_seeds(task<void> (*program)(pe_id), std::uint64_t seeds = 200) {
  std::printf("seeds 1 to %llu\n", static_cast<unsigned long long>(seeds));
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    for (const pe_id pes : {1, 2, 3, 5}) run_all(pes, seed, program);
  }
}

task<void> meet(int rounds, long members) {
  for (int round = 1; round <= rounds; ++round) {
    if (dice() % 2 == 0) co_await yield();
    ++arrived;
    co_await meeting.arrive_and_wait();
    EXPECT_GE(arrived, round * members);
    EXPECT_LT(arrived, (round + 1) * members) << "nobody is two rounds ahead";
  }
}
// Three members on PE 0, two on each other.
task<void> rounds(pe_id me) {
  const long members = 2L * pe_count() + 1;
  if (me == pe_count() / 2) {
    arrived = 0;
    meeting = create_barrier(static_cast<std::uint32_t>(members));
  }
  co_await barrier();
  const std::size_t here = me == 0 ? 3 : 2;
  std::vector<task<void>> all;
  all.reserve(here);
  for (std::size_t i = 0; i < here; ++i) all.push_back(meet(6, members));
  co_await when_all(std::move(all));
  EXPECT_GE(arrived, 6 * members);
}
TEST(NamedBarrier, NobodyGoesOnBeforeAllHaveArrived) { run_seeds(rounds); }

// All others come by without waiting; the last one on the home goes on at once.
task<void> passers_by(pe_id me) {
  if (me == 0) {
    arrived = 0;
    meeting = create_barrier(static_cast<std::uint32_t>(pe_count()));
  }
  co_await barrier();
  if (me != 0) {
    ++arrived;
    meeting.arrive();
  }
  if (me == 0) {
    co_await meeting.arrive_and_wait();
    EXPECT_EQ(arrived, pe_count() - 1);
  }
  co_await barrier();
  if (me != 0) meeting.arrive();
  co_await quiescence();
  if (me == 0) {
    const std::uint64_t before = remote::current_pe->messages.sent();
    co_await meeting.arrive_and_wait();
    EXPECT_EQ(remote::current_pe->messages.sent(), before) << "the last, on the home";
    meeting.end();
  }
}
TEST(NamedBarrier, SomeDoNotWait) { run_seeds(passers_by); }

}  // namespace
}  // namespace tsubu::data_test
