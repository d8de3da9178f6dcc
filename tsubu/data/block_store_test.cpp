// Promise: values of an array that is larger than the memory allowed are what they would be in memory; no more blocks
// are in memory than allowed; what was used last stays; what cannot go to a file, or does not fit there, is refused
// with the reason. Method: random accesses to several arrays beside the same in vectors.
#include "tsubu/data/block_store.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tsubu/data/element_values.hpp"

namespace tsubu::data {
namespace {

constexpr std::size_t kib = 1024;

TEST(BlockStore, ValuesAreWhatTheyWouldBeInMemory) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    block_store store({.memory_bytes = 600 * kib});
    constexpr std::size_t size = 100'000;
    element_values<std::uint64_t> small(store, 1000, 7);
    auto large = std::make_unique<element_values<std::uint64_t>>(store, size, 5);
    element_values<char> bytes(store, size * 20, 'x');
    EXPECT_TRUE(small.all_in_memory());
    EXPECT_FALSE(large->all_in_memory());
    std::vector<std::uint64_t> large_here(size, 5);
    std::vector<char> bytes_here(size * 20, 'x');
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t at = random() % size;
      ASSERT_EQ((*large)[at], large_here[at]);
      (*large)[at] = large_here[at] = random();
      const std::size_t byte = random() % bytes_here.size();
      ASSERT_EQ(bytes[byte], bytes_here[byte]);
      bytes[byte] = bytes_here[byte] = static_cast<char>(random());
      ASSERT_EQ(small[at % 1000], 7U);
    }
    EXPECT_GT(store.blocks_written(), 1000U);
    EXPECT_GT(store.blocks_read(), 1000U);
    large.reset();
    EXPECT_FALSE(element_values<std::uint64_t>(store, size, 5).all_in_memory());
  }
}

TEST(BlockStore, WhatWasUsedLastStays) {
  block_store store({.memory_bytes = 5 * block_store::block_bytes});
  constexpr std::size_t in_a_block = block_store::block_bytes / sizeof(long);
  element_values<long> values(store, 20 * in_a_block, 0);
  for (int round = 0; round < 100; ++round) {
    for (std::size_t block : {0, 3, 5, 9, 19}) ++values[block * in_a_block];
  }
  EXPECT_EQ(store.blocks_written(), 0U);
  ++values[1 * in_a_block];  // for block 0, which was used least recently
  EXPECT_EQ(store.blocks_written(), 1U);
  EXPECT_EQ(values[3 * in_a_block], 100);
  EXPECT_EQ(store.blocks_read(), 0U);
  EXPECT_EQ(values[0], 100);
  EXPECT_EQ(store.blocks_read(), 1U);
}

TEST(BlockStoreDeath, SaysWhatDoesNotFit) {
  const auto file_full = [] {
    block_store store({.memory_bytes = 4 * block_store::block_bytes, .spill_bytes = 2 * block_store::block_bytes});
    element_values<long> values(store, 100'000, 0);
    for (std::uint64_t i = 0; i < 100'000; ++i) values[i] = 1;
  };
  EXPECT_DEATH(file_full(), "do not fit: 262144 bytes of memory \\(--tsubu-data-memory\\) and 131072 bytes of file");
  const auto own_memory = [] {
    block_store store({.memory_bytes = 4 * block_store::block_bytes});
    const element_values<std::string> values(store, 100'000, "");
  };
  EXPECT_DEATH(own_memory(), "needs 3200000 bytes of memory, and --tsubu-data-memory leaves less");
}

}  // namespace
}  // namespace tsubu::data
