// Promise: values of an array that is larger than the memory allowed are what they would be in memory; no more blocks
// are in memory than allowed; what was used last stays; what cannot go to a file, or does not fit there, is refused
// with the reason. Other PEs' memory is used before the file, and their blocks leave before own ones do. Method: random
// accesses to several arrays beside the same in vectors; the other PEs are played by the test.
#include "tsubu/data/arrays/block_store.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "tsubu/data/arrays/element_values.hpp"

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
    for (std::size_t block : {0U, 3U, 5U, 9U, 19U}) ++values[block * in_a_block];
  }
  EXPECT_EQ(store.blocks_written(), 0U);
  ++values[1 * in_a_block];  // for block 0, which was used least recently
  EXPECT_EQ(store.blocks_written(), 1U);
  EXPECT_EQ(values[3 * in_a_block], 100);
  EXPECT_EQ(store.blocks_read(), 0U);
  EXPECT_EQ(values[0], 100);
  EXPECT_EQ(store.blocks_read(), 1U);
}

// The memory of other PEs, for so many blocks; and guests, which come by hand.
class played_others final : public block_store::other_pes {
 public:
  explicit played_others(std::size_t room) : room_(room) {}
  bool lend(block_store::block& b) override {
    if (kept_.size() == room_) return false;
    b.loan = ++last_;
    kept_.emplace(b.loan, std::vector<std::byte>(b.memory.get(), b.memory.get() + block_store::block_bytes));
    return true;
  }
  void forget(block_store::block& b) override { EXPECT_EQ(kept_.erase(b.loan), 1U); }
  void ask_for_room() override { ++asked; }
  void return_oldest_guest() override {
    ++returned;
    store->guest_leaves();
  }
  void give_back(block_store::block& b, bool asked_for) {
    const auto bytes = kept_.extract(b.loan);
    store->take_back(b, bytes.mapped(), asked_for);
  }
  std::size_t kept() const { return kept_.size(); }

  block_store* store = nullptr;
  int asked = 0;
  int returned = 0;

 private:
  const std::size_t room_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::vector<std::byte>> kept_;
};

constexpr std::size_t longs = block_store::block_bytes / sizeof(long);

TEST(BlockStore, UsesOtherMemoryBeforeTheFile) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    played_others others(10);
    block_store store({.memory_bytes = 5 * block_store::block_bytes}, &others);
    others.store = &store;
    constexpr std::size_t blocks = 20;
    auto values = std::make_unique<element_values<long>>(store, blocks * longs, 3);
    std::vector<long> here(blocks * longs, 3);
    for (std::size_t b = 0; b < 15; ++b) here[b * longs] = (*values)[b * longs] = static_cast<long>(b);
    EXPECT_EQ(others.kept(), 10U);
    EXPECT_GT(others.asked, 0);
    EXPECT_EQ(store.blocks_written(), 0U);
    for (int i = 0; i < 3000; ++i) {
      const std::size_t at = random() % here.size();
      if (random() % 100 == 0) {
        block_store::block& b = values->block_of(random() % here.size());
        if (b.loan != 0) others.give_back(b, false);  // that PE needs its memory
      }
      long* value = values->find(at);
      if (value == nullptr) {
        others.give_back(values->block_of(at), true);
        value = values->find(at);
      }
      ASSERT_NE(value, nullptr);
      ASSERT_EQ(*value, here[at]);
      *value = here[at] = static_cast<long>(random());
    }
    EXPECT_GT(store.blocks_written(), 0U);
    EXPECT_GT(others.kept(), 0U);
    values.reset();
    EXPECT_EQ(others.kept(), 0U);
  }
}

TEST(BlockStore, ABlockWithAccessesUnderWayIsNotLent) {
  played_others others(10);
  block_store store({.memory_bytes = 4 * block_store::block_bytes}, &others);
  element_values<long> values(store, 10 * longs, 0);
  ++values[0];
  values.block_of(0).under_way = 1;
  for (std::size_t b = 1; b < 10; ++b) ++values[b * longs];
  EXPECT_EQ(store.blocks_written(), 1U);
  EXPECT_EQ(others.kept(), 5U);
  EXPECT_EQ(values[0], 1) << "from the file, at once";
  EXPECT_EQ(values.find(longs), nullptr);
}

TEST(BlockStore, GuestsLeaveBeforeItsOwn) {
  played_others others(0);
  block_store store({.memory_bytes = 8 * block_store::block_bytes}, &others);
  others.store = &store;
  for (; store.room_for_guests() != 0; store.guest_comes()) {
  }
  element_values<long> values(store, 20 * longs, 0);
  for (std::size_t b = 0; b < 6; ++b) ++values[b * longs];
  EXPECT_EQ(others.returned, 6);
  EXPECT_EQ(store.blocks_written(), 0U);
  EXPECT_TRUE(store.reserve(block_store::block_bytes));
  EXPECT_EQ(others.returned, 7);
  EXPECT_EQ(store.room_for_guests(), 0U);
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
