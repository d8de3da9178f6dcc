// Promise: a batch comes back to the arena that has made it, whoever gives it back, and is used again; heads of bulks
// come apart from the others. What is posted arrives in order though the ring is full, and is on the way until it is
// released. A source is told once. PEs that take turns on a thread sleep and close together.
#include "tsubu/transport/shared/end.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "tsubu/transport/shared/ring_set.hpp"
#include "tsubu/transport/shared/turns.hpp"

namespace tsubu::transport {
namespace {

constexpr std::size_t batch_bytes = 256;
constexpr std::size_t memory_of_one = sizeof(batch) + batch_bytes;

[[noreturn]] void fail_test(const char* reason) {
  std::fprintf(stderr, "%s\n", reason);
  std::abort();
}

group_facts facts_of(int pes) {
  return {.pes = pes, .batch_bytes = batch_bytes, .ending = {[](int) { std::abort(); }, fail_test}};
}

TEST(batch_arena, uses_again_what_comes_back) {
  shared_group group(facts_of(2));
  batch_arena arena(group, 0);
  batch* first = arena.take();
  batch* second = arena.take();
  ASSERT_NE(first, second);
  EXPECT_EQ(first->capacity, batch_bytes);
  EXPECT_EQ(batch_arena::maker_of(first), 0);
  EXPECT_EQ(arena.bytes_in_use(), 2 * memory_of_one);
  first->size = 10;
  arena.put(first);
  EXPECT_EQ(arena.bytes_in_use(), memory_of_one);
  EXPECT_EQ(arena.take(), first);
  EXPECT_EQ(first->size, 0U);
  std::thread other([&] {
    arena.put_from_any_thread(first);
    arena.put_from_any_thread(second);
  });
  other.join();
  EXPECT_TRUE(arena.has_returned(std::memory_order_seq_cst));
  // Without a look in between.
  std::vector<batch*> again = {arena.take(), arena.take()};
  std::sort(again.begin(), again.end());
  std::vector<batch*> both = {first, second};
  std::sort(both.begin(), both.end());
  EXPECT_EQ(again, both);
  EXPECT_EQ(arena.bytes_allocated(), 2 * memory_of_one);
}

TEST(batch_arena, keeps_heads_of_bulks_apart) {
  shared_group group(facts_of(1));
  batch_arena arena(group, 0);
  batch* head = arena.take();
  batch* plain = arena.take();
  head->bulk_bytes = 5;
  arena.put_from_any_thread(head);
  arena.put_from_any_thread(plain);
  arena.fetch_returned();
  EXPECT_FALSE(arena.has_returned(std::memory_order_relaxed));
  ASSERT_TRUE(arena.has_returned_heads());
  EXPECT_EQ(arena.take(), plain);
  EXPECT_EQ(arena.take_returned_heads(), std::vector<batch*>{head});
  EXPECT_FALSE(arena.has_returned_heads());
}

TEST(ring_set, keeps_the_order_of_what_finds_the_ring_full) {
  constexpr int posts = 3 * static_cast<int>(ring::slots);
  shared_group group(facts_of(2));
  batch_arena senders(group, 0);
  batch_arena receivers(group, 1);
  ring_set out(group, 0, senders);
  ring_set in(group, 1, receivers);
  EXPECT_EQ(out.on_the_way(1), 0);
  EXPECT_FALSE(in.has_arrival());
  for (int i = 0; i < posts; ++i) {
    batch* b = senders.take();
    // By turns such that lie in the ring, and such that are passed by address.
    b->size = i % 2 == 0 ? 8 : 200;
    std::memcpy(b->data(), &i, sizeof i);
    EXPECT_EQ(out.post(b, 1), i + 1);
  }
  EXPECT_TRUE(out.has_waiting());
  EXPECT_TRUE(in.has_arrival());
  for (int i = 0; i < posts; ++i) {
    batch* b = in.next([&] { return receivers.take(); });
    if (b == nullptr) {
      out.push_waiting();
      b = in.next([&] { return receivers.take(); });
    }
    ASSERT_NE(b, nullptr);
    int number = -1;
    std::memcpy(&number, b->data(), sizeof number);
    EXPECT_EQ(number, i);
    EXPECT_EQ(b->from, 0);
    EXPECT_EQ(b->to, 1);
    EXPECT_EQ(out.on_the_way(1), posts - i);
    in.count_released(0);
    (batch_arena::maker_of(b) == 0 ? senders : receivers).put(b);
  }
  EXPECT_FALSE(out.has_waiting());
  EXPECT_EQ(out.on_the_way(1), 0);
  EXPECT_EQ(senders.bytes_in_use(), 0U);
  EXPECT_EQ(receivers.bytes_in_use(), 0U);
}

// Two threads of three PEs each. A wake-up that came to the wrong bed would leave both asleep for ever.
TEST(time_multiplexed_ends, sleeps_until_one_of_its_pes_is_sent_to) {
  constexpr pe_id each = 3;
  constexpr int rounds = 300;
  shared_group group(facts_of(2 * each));
  const auto post = [](transport& from, pe_id to, int number) {
    batch* b = from.acquire();
    b->size = sizeof number;
    std::memcpy(b->data(), &number, sizeof number);
    from.post(b, to);
  };
  // Takes the next batch of any of the thread's PEs, and says of which.
  const auto take = [](time_multiplexed_ends& mine) {
    for (;;) {
      for (transport* const end : mine.ends()) {
        batch* b = end->poll();
        if (b == nullptr) continue;
        int number = -1;
        std::memcpy(&number, b->data(), sizeof number);
        end->release(b);
        return std::pair(end->pe(), number);
      }
      mine.wait(3'600'000'000);
    }
  };
  std::thread other([&] {
    time_multiplexed_ends mine(group, each, each, {});
    for (int i = 0; i < rounds; ++i) {
      const auto [pe, number] = take(mine);
      EXPECT_EQ(pe, each + i % each);
      EXPECT_EQ(number, i);
      post(*mine.ends()[static_cast<std::size_t>(i + 1) % each], (i + 2) % each, -i);
    }
    mine.close();
    mine.stay_for_others();
  });
  time_multiplexed_ends mine(group, 0, each, {});
  for (int i = 0; i < rounds; ++i) {
    post(*mine.ends()[static_cast<std::size_t>(i) % each], each + i % each, i);
    const auto [pe, number] = take(mine);
    EXPECT_EQ(pe, (i + 2) % each);
    EXPECT_EQ(number, -i);
  }
  mine.close();
  mine.stay_for_others();
  other.join();
}

TEST(time_multiplexed_ends, closes_though_rings_between_its_pes_are_full) {
  constexpr int posts = 3 * static_cast<int>(ring::slots);
  shared_group group(facts_of(2));
  time_multiplexed_ends mine(group, 0, 2, {});
  for (int i = 0; i < posts; ++i) {
    for (const pe_id from : {0, 1}) {
      batch* b = mine.ends()[static_cast<std::size_t>(from)]->acquire();
      b->size = 8;
      mine.ends()[static_cast<std::size_t>(from)]->post(b, 1 - from);
    }
  }
  mine.close();
  for (transport* const end : mine.ends()) {
    int arrived = 0;
    while (batch* b = end->poll()) {
      end->release(b);
      ++arrived;
    }
    EXPECT_EQ(arrived, posts);
  }
}

TEST(bulk_sources, tells_each_once) {
  std::byte bytes[3] = {};
  int told[2] = {};
  const auto count = [](void* argument) { ++*static_cast<int*>(argument); };
  batch heads[3];
  bulk_sources sources;
  sources.offer(&heads[0], {bytes, count, &told[0]});
  sources.offer(&heads[1], {bytes, nullptr, nullptr});
  sources.offer(&heads[2], {bytes, count, &told[1]});
  EXPECT_EQ(heads[0].bulk_data, bytes);
  EXPECT_EQ(heads[0].bulk_bytes, sizeof bytes);
  sources.tell(&heads[1]);
  EXPECT_EQ(told[0] + told[1], 0);
  sources.tell(&heads[0]);
  sources.tell(&heads[0]);
  EXPECT_EQ(told[0], 1);
  sources.tell(&heads[2]);
  EXPECT_EQ(told[1], 1);
}

}  // namespace
}  // namespace tsubu::transport
