// Promise: a label comes out as it went in, whatever the others of its fields hold, and leaves the batch's data and the
// other fields of its header alone.
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/mpsc_queue.hpp"

namespace tsubu::transport::mpi {
namespace {

void expect_same_after_the_wire(const label& l) {
  batch b;
  b.bulk_bytes = 77;
  write_label(&b, l);
  EXPECT_EQ(b.bulk_bytes, 77U);
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
  expect_same_after_the_wire({largest_batch, kind::credits, most_label_credits, last, last, most_label_releases});
  expect_same_after_the_wire({largest_batch});
  expect_same_after_the_wire({0, kind::releases, 0, last, 0, 0});
  expect_same_after_the_wire({0, kind::batch, most_label_credits, 0, last, 0});
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  for (int i = 0; i < 1000; ++i) {
    expect_same_after_the_wire({below(largest_batch + 1), static_cast<kind>(1 + below(5)),
                                below(most_label_credits + 1), static_cast<int>(below(most_pes_per_rank)),
                                static_cast<int>(below(most_pes_per_rank)), below(most_label_releases + 1)});
  }
}

}  // namespace
}  // namespace tsubu::transport::mpi
