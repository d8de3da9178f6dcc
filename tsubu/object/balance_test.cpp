// Promise: a PE that has nothing to do is known to those that it tells, whatever work they have given it before:
// objects that moved there, that were created there, that failed to be made there, and places that were chosen and not
// used. Method: as in object_test.cpp. When the job is quiescent, so that all have told, each PE asks for places until
// it is itself the place: it must have been given all PEs at a distance of 1, 2, 4, ... before it, once.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tests/object_job.hpp"
#include "tsubu/object/placement.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::balance_test {
namespace {

using namespace test;

struct fixed : object<fixed> {
  void run() { retire(); }
};

struct impossible : object<impossible> {
  impossible() { throw std::runtime_error("on purpose"); }
};

struct movable : object<movable> {
  task<void> run() {
    retire();
    co_await yield();
  }
  template <class A>
  void serialize(A&) {}
};

std::vector<pe_id> tell_to_this() {
  std::vector<pe_id> all;
  for (pe_id distance = 1; distance < pe_count(); distance *= 2)
    all.push_back((this_pe() + pe_count() - distance) % pe_count());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<pe_id> take_places() {
  std::vector<pe_id> all;
  for (pe_id to = anywhere().choose(); to != this_pe(); to = anywhere().choose()) all.push_back(to);
  std::sort(all.begin(), all.end());
  return all;
}

void expect_all_known() { EXPECT_EQ(take_places(), tell_to_this()) << "on PE " << this_pe(); }

// Anything that uses up what this PE knows.
task<void> give_away(std::uint64_t seed) {
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(this_pe()));
  for (auto left = random() % 12; left > 0; --left) {
    switch (random() % 6) {
      case 0:
        create<impossible>(anywhere());
        break;
      case 1:
        (void)anywhere().choose();
        break;
      case 2:
        create<fixed>(anywhere()).past<&fixed::run>();
        break;
      case 3:
        for (int i = 0; i < 40; ++i) create<movable>(anywhere()).past<&movable::run>();
        break;
      case 4:
        co_await create<fixed>(anywhere()).now<&fixed::run>();
        break;
      default:
        co_await yield();
    }
  }
}

void go_on_after_exceptions() {
  on_past_exception([](std::exception_ptr) {});
}

task<void> program(std::uint64_t seed) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) co_await at(pe).now<go_on_after_exceptions>();
  for (int round = 0; round < 4; ++round) {
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      if ((seed >> pe) % 2 != 0) at(pe).past<give_away>(seed);
    }
    co_await quiescence();
    for (pe_id pe = 0; pe < pe_count(); ++pe) co_await at(pe).now<expect_all_known>();
    co_await quiescence();
  }
}

TEST(balancer, knows_who_has_nothing_to_do) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + (TSUBU_ASAN || TSUBU_TSAN ? 30 : 300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(static_cast<pe_id>(2 + seed % 7), seed);
    play(job, seed % 2 == 0, program(seed));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tsubu::balance_test
