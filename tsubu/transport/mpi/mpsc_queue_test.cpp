// Promise: what several threads leave in a queue is taken out once, and in the order in which each has left it.
#include "tsubu/transport/mpi/mpsc_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tsubu::transport::mpi {
namespace {

struct thing {
  std::atomic<thing*> next{nullptr};
  int by = 0;
  int number = 0;
};

TEST(mpsc_queue, gives_the_things_of_each_thread_in_order) {
  constexpr int threads = 3;
  constexpr int things = 20'000;
  mpsc_queue<thing> queue;
  std::vector<std::vector<thing>> all(threads);
  for (auto& of_thread : all) of_thread = std::vector<thing>(things);
  std::vector<std::thread> leaving;
  leaving.reserve(threads);
  for (int t = 0; t < threads; ++t) {
    leaving.emplace_back([&, t] {
      for (int i = 0; i < things; ++i) {
        thing& one = all[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
        one.by = t;
        one.number = i;
        queue.push(&one);
      }
    });
  }
  int taken[threads] = {};
  int wrong = 0;
  for (int left = threads * things; left > 0;) {
    if (queue.empty()) std::this_thread::yield();
    queue.take([&](thing* one) {
      if (one->number != taken[one->by]++) ++wrong;
      --left;
    });
  }
  for (std::thread& t : leaving) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(queue.empty());
  for (int n : taken) EXPECT_EQ(n, things);
}

}  // namespace
}  // namespace tsubu::transport::mpi
