#include "tsubu/base/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace tsubu {
namespace {

// Promise: a block is used by nobody else, is aligned, and keeps its bytes.
// Method: random sizes taken and freed in random order; each block is filled with a byte of its own
// and checked before it is freed.
TEST(pool, blocks_do_not_overlap) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed=" + std::to_string(seed));
  std::mt19937 random(seed);
  struct held {
    unsigned char* at;
    std::size_t bytes;
    unsigned char fill;
  };
  const std::ptrdiff_t live_before = this_pool.statistics().live_blocks;
  std::vector<held> blocks;
  const auto free_one = [&](std::size_t i) {
    const held h = blocks[i];
    for (std::size_t k = 0; k < h.bytes; ++k) ASSERT_EQ(h.at[k], h.fill);
    this_pool.free(h.at, h.bytes);
    blocks[i] = blocks.back();
    blocks.pop_back();
  };
  for (int step = 0; step < 20000; ++step) {
    if (blocks.empty() || random() % 100 < 52) {
      const std::size_t bytes = random() % 10 == 0 ? random() % 5000 : random() % 300;
      auto* at = static_cast<unsigned char*>(this_pool.allocate(bytes));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(at) % pool::granule, 0u);
      const auto fill = static_cast<unsigned char>(random());
      std::memset(at, fill, bytes);
      blocks.push_back({at, bytes, fill});
    } else {
      free_one(random() % blocks.size());
    }
    ASSERT_EQ(this_pool.statistics().live_blocks - live_before, static_cast<std::ptrdiff_t>(blocks.size()));
  }
  while (!blocks.empty()) free_one(blocks.size() - 1);
  EXPECT_EQ(this_pool.statistics().live_blocks, live_before);
}

// Promise: a freed block is the next one of its class.
TEST(pool, blocks_are_reused) {
  if (pool::watched) GTEST_SKIP() << "under AddressSanitizer every block comes from malloc";
  void* first = this_pool.allocate(100);
  this_pool.free(first, 100);
  void* second = this_pool.allocate(112);  // the same class
  EXPECT_EQ(first, second);
  this_pool.free(second, 112);
}

// Promise: each thread has its own pool, and what an ended thread had free is used by the next.
TEST(pool, threads_inherit) {
  if (pool::watched) GTEST_SKIP() << "under AddressSanitizer every block comes from malloc";
  constexpr std::size_t bytes = 1000;
  std::set<void*> first;
  const auto run = [](std::set<void*>& blocks) {
    for (int i = 0; i < 500; ++i) blocks.insert(this_pool.allocate(bytes));
    for (void* at : blocks) this_pool.free(at, bytes);
  };
  std::thread(run, std::ref(first)).join();
  std::set<void*> second;
  std::size_t taken_from_system = 0;
  std::thread([&] {
    run(second);
    taken_from_system = this_pool.statistics().chunk_bytes;
  }).join();
  std::vector<void*> common;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(common));
  EXPECT_GT(common.size(), 400u);
  EXPECT_LE(taken_from_system, 2 * pool::chunk_size);
}

struct counted {
  explicit counted(int& n) : alive(n) { ++alive; }
  ~counted() { --alive; }
  int& alive;
};

TEST(pool, new_and_delete) {
  int alive = 0;
  counted* one = new_pooled<counted>(alive);
  EXPECT_EQ(alive, 1);
  delete_pooled(one);
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace tsubu
