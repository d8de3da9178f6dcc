// Promise: threads that share much come together, main stays in process 0, and no process has more than in turn.
#include "eulash/profile/thread_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace eulash {
namespace {

TEST(thread_places, pairs_come_together) {
  const thread_places p = place_threads(5, 2, {{1, 2, 100}, {3, 4, 100}, {0, 1, 5}});
  EXPECT_EQ(p.process_of[1], p.process_of[2]);
  EXPECT_EQ(p.process_of[3], p.process_of[4]);
  EXPECT_EQ(p.process_of[0], 0);
  EXPECT_EQ(p.process_of[1], 0);
  EXPECT_EQ(p.in_turn, 205);
  EXPECT_EQ(p.here, 0);
}

TEST(thread_places, nothing_shared_stays_in_turn) {
  const thread_places p = place_threads(6, 3, {});
  EXPECT_EQ(p.process_of, (std::vector<int>{0, 1, 2, 0, 1, 2}));
}

TEST(thread_places, is_never_worse_than_in_turn_and_as_even) {
  std::mt19937 dice(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t threads = 1 + dice() % 20;
    const int processes = 1 + static_cast<int>(dice() % 5);
    std::vector<shared_use> shared;
    for (std::size_t i = 0; i != threads; ++i) {
      for (std::size_t k = 0; k != i; ++k) shared.push_back({i, k, static_cast<double>(dice() % 100)});
    }
    const thread_places p = place_threads(threads, processes, shared);
    EXPECT_LE(p.here, p.in_turn);
    EXPECT_EQ(p.process_of[0], 0);
    for (int process = 0; process != processes; ++process) {
      const auto in_turn =
          (threads + static_cast<std::size_t>(processes - 1 - process)) / static_cast<std::size_t>(processes);
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(p.process_of, process)), in_turn);
    }
  }
}

}  // namespace
}  // namespace eulash
