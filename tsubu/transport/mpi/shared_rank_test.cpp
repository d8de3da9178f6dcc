// Promise: a label comes out as it went in, whatever the others of its fields hold; what several threads leave in
// a box is taken out once, and in the order in which each has left it.
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "tsubu/transport/mpi/mpsc_queue.hpp"
#include "tsubu/transport/mpi/label.hpp"

namespace tsubu::transport::mpi {
namespace {

void expect_same_after_the_wire(const label& l) {
  batch b;
  write_label(&b, l);
  const label back = read_label(&b);
  EXPECT_EQ(back.size, l.size);
  EXPECT_EQ(back.what, l.what);
  EXPECT_EQ(back.credits, l.credits);
  EXPECT_EQ(back.from, l.from);
  EXPECT_EQ(back.to, l.to);
  EXPECT_EQ(back.released, l.released);
}

TEST(label, keeps_its_fields_apart) {
  constexpr std::uint32_t largest_batch = 16'777'216;  // --tsubu-batch
  constexpr int last = most_pes_per_rank - 1;
  expect_same_after_the_wire({largest_batch, errand::credits, most_label_credits, last, last, most_label_releases});
  expect_same_after_the_wire({largest_batch});
  expect_same_after_the_wire({0, errand::releases, 0, last, 0, 0});
  expect_same_after_the_wire({0, errand::batch, most_label_credits, 0, last, 0});
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  for (int i = 0; i < 1000; ++i) {
    expect_same_after_the_wire({below(largest_batch + 1), static_cast<errand>(1 + below(5)),
                                below(most_label_credits + 1), static_cast<int>(below(most_pes_per_rank)),
                                static_cast<int>(below(most_pes_per_rank)), below(most_label_releases + 1)});
  }
}

struct thing {
  std::atomic<thing*> next{nullptr};
  int by = 0;
  int number = 0;
};

TEST(mpsc_queue, gives_the_things_of_each_thread_in_order) {
  constexpr int threads = 3;
  constexpr int things = 20'000;
  mpsc_queue<thing> box;
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
        box.push(&one);
      }
    });
  }
  int taken[threads] = {};
  int wrong = 0;
  for (int left = threads * things; left > 0;) {
    if (box.empty()) std::this_thread::yield();
    box.take([&](thing* one) {
      if (one->number != taken[one->by]++) ++wrong;
      --left;
    });
  }
  for (std::thread& t : leaving) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(box.empty());
  for (int n : taken) EXPECT_EQ(n, things);
}

}  // namespace
}  // namespace tsubu::transport::mpi
