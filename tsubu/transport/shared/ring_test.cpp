// Promise: what one thread pushes another pops, once, in order and unchanged, short batches by copy and
// long ones by handle; a full ring refuses; and a sleeper is woken.
#include "tsubu/transport/shared/ring.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <thread>

#include "tsubu/base/clock.hpp"
#include "tsubu/transport/shared/parking.hpp"
#include "tsubu/transport/shared/segment.hpp"

namespace tsubu::transport {
namespace {

struct free_batch {
  void operator()(batch* b) const {
    b->~batch();
    ::operator delete(b, std::align_val_t{64});
  }
};
using owned_batch = std::unique_ptr<batch, free_batch>;

owned_batch make_batch(std::uint32_t size, std::uint64_t number) {
  void* memory = ::operator new(sizeof(batch) + 256, std::align_val_t{64});
  owned_batch b(new (memory) batch);
  b->capacity = 256;
  b->size = size;
  std::memset(b->data(), 0, 256);
  std::memcpy(b->data(), &number, std::min<std::size_t>(size, sizeof number));
  return b;
}

handle handle_of(const owned_batch& b) { return reinterpret_cast<handle>(b.get()); }

batch* at(handle h) { return reinterpret_cast<batch*>(h); }

void expect_right(bool holds) { EXPECT_TRUE(holds); }

std::uint64_t number_of(batch* b) {
  std::uint64_t number = 0;
  std::memcpy(&number, b->data(), std::min<std::size_t>(b->size, sizeof number));
  return number;
}

TEST(ring, short_batches_are_copied_and_long_ones_are_not) {
  ring r;
  const owned_batch small = make_batch(ring::inline_bytes, 1);
  const owned_batch large = make_batch(ring::inline_bytes + 1, 2);
  const owned_batch empty = make_batch(0, 0);
  const owned_batch bulk_head = make_batch(8, 3);
  bulk_head->bulk_bytes = 1000;
  const owned_batch spare = make_batch(0, 0);
  bool copied = false;
  EXPECT_FALSE(r.has_batch());
  ASSERT_TRUE(r.push(small.get(), handle_of(small), copied));
  EXPECT_TRUE(copied);
  ASSERT_TRUE(r.push(large.get(), handle_of(large), copied));
  EXPECT_FALSE(copied);
  ASSERT_TRUE(r.push(empty.get(), handle_of(empty), copied));
  EXPECT_TRUE(copied);
  ASSERT_TRUE(r.push(bulk_head.get(), handle_of(bulk_head), copied));
  EXPECT_FALSE(copied) << "the sender must hear when its bulk has been taken";
  EXPECT_TRUE(r.has_batch());
  auto use_spare = [&] { return spare.get(); };
  batch* first = r.pop(use_spare, at, expect_right);
  EXPECT_EQ(first, spare.get());
  EXPECT_EQ(first->size, ring::inline_bytes);
  EXPECT_EQ(number_of(first), 1U);
  EXPECT_EQ(r.pop(use_spare, at, expect_right), large.get());
  EXPECT_EQ(r.pop(use_spare, at, expect_right)->size, 0U);
  EXPECT_EQ(r.pop(use_spare, at, expect_right), bulk_head.get());
  EXPECT_EQ(r.pop(use_spare, at, expect_right), nullptr);
}

TEST(ring, refuses_when_full) {
  ring r;
  const owned_batch b = make_batch(8, 5);
  const owned_batch spare = make_batch(0, 0);
  bool copied = false;
  for (std::size_t i = 0; i < ring::slots; ++i) ASSERT_TRUE(r.push(b.get(), handle_of(b), copied));
  EXPECT_FALSE(r.push(b.get(), handle_of(b), copied));
  EXPECT_NE(r.pop([&] { return spare.get(); }, at, expect_right), nullptr);
  EXPECT_TRUE(r.push(b.get(), handle_of(b), copied));
  EXPECT_FALSE(r.push(b.get(), handle_of(b), copied));
}

TEST(ring, between_threads) {
  constexpr std::uint64_t count = 100'000;
  ring r;
  std::thread producer([&] {
    std::mt19937_64 random(7);
    std::vector<owned_batch> kept;  // until the consumer has ended
    for (std::uint64_t i = 0; i < count; ++i) {
      owned_batch b = make_batch(random() % 8 == 0 ? 200 : 8, i);
      bool copied = false;
      while (!r.push(b.get(), handle_of(b), copied)) std::this_thread::yield();
      if (!copied) kept.push_back(std::move(b));
    }
    while (r.released() != count) std::this_thread::yield();
  });
  const owned_batch spare = make_batch(0, 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count;) {
    batch* b = r.pop([&] { return spare.get(); }, at, expect_right);
    if (b == nullptr) {
      std::this_thread::yield();
      continue;
    }
    if (number_of(b) != i++) ++wrong;
    r.count_released();
  }
  producer.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(parking, ends_at_its_time) {
  parking bed;
  bed.wake();  // nobody sleeps: nothing happens, and nothing is kept
  bool asked = false;
  bed.sleep(std::chrono::microseconds(2000), [&] {
    asked = true;
    return false;
  });
  EXPECT_TRUE(asked);
  bed.sleep(std::chrono::seconds(1000), [] { return true; });  // there is work: does not sleep
}

// Two that hand a number to and fro, and sleep until it is theirs.
struct hand_over {
  explicit hand_over(reach wakers) : beds{parking(wakers), parking(wakers)} {}

  // Returns how many wake-ups were lost: each costs `forever`.
  int play(int me) {
    constexpr int rounds = 20'000;
    constexpr auto forever = std::chrono::seconds(20);
    int lost = 0;
    const auto is_mine = [&] { return turn.load(std::memory_order_acquire) % 2 == me; };
    for (int round = 0; round < rounds; ++round) {
      while (!is_mine()) {
        const std::int64_t begin_ns = now_ns();
        beds[me].sleep(forever, is_mine);
        if (now_ns() - begin_ns > std::chrono::nanoseconds(forever).count() / 2) ++lost;
      }
      // A plain release, as a ring's: wake() has to keep its own look behind it.
      turn.store(turn.load(std::memory_order_relaxed) + 1, std::memory_order_release);
      beds[1 - me].wake();
      if (lost != 0) break;
    }
    return lost;
  }

  parking beds[2];
  std::atomic<int> turn{0};
};

TEST(parking, no_wake_up_is_lost_between_threads) {
  hand_over numbers(reach::process);
  int lost_there = -1;
  std::thread other([&] { lost_there = numbers.play(1); });
  EXPECT_EQ(numbers.play(0), 0);
  other.join();
  EXPECT_EQ(lost_there, 0);
}

TEST(parking, no_wake_up_is_lost_between_processes) {
  const std::optional<segment> shared = segment::make(4096);
  ASSERT_TRUE(shared);
  auto* numbers = new (shared->base() + 128) hand_over(reach::machine);
  const pid_t child = fork();
  if (child == 0) {
    // What is mapped does not go to a child, as it does not to another rank.
    const std::optional<segment> opened = segment::open(shared->own_ticket());
    _exit(opened ? reinterpret_cast<hand_over*>(opened->base() + 128)->play(1) : 1);
  }
  EXPECT_EQ(numbers->play(0), 0);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "wake-ups that the other process has lost";
}

}  // namespace
}  // namespace tsubu::transport
