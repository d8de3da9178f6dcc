// The round trip of 8 bytes between two threads, each on its core, through two single-producer single-consumer rings
// and nothing else: what the machine itself allows to a transport made of such rings.
#include <pthread.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

namespace {

// Lamport's ring: the producer owns tail_, the consumer head_; each sees the other's only when its copy says full or
// empty, so that a line moves once per message and not once per look.
class ring {
 public:
  bool try_push(std::uint64_t value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_seen_ == capacity) {
      head_seen_ = head_.load(std::memory_order_acquire);
      if (tail - head_seen_ == capacity) return false;
    }
    slots_[tail % capacity] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  bool try_pop(std::uint64_t& value) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_seen_) {
      tail_seen_ = tail_.load(std::memory_order_acquire);
      if (head == tail_seen_) return false;
    }
    value = slots_[head % capacity];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  static constexpr std::size_t capacity = 64;
  static constexpr std::size_t line = 64;

  alignas(line) std::atomic<std::size_t> tail_{0};
  std::size_t head_seen_ = 0;  // the producer's copy of head_
  alignas(line) std::atomic<std::size_t> head_{0};
  std::size_t tail_seen_ = 0;  // the consumer's copy of tail_
  alignas(line) std::array<std::uint64_t, capacity> slots_{};
};

void push(ring& r, std::uint64_t value) {
  while (!r.try_push(value)) {
  }
}

std::uint64_t pop(ring& r) {
  std::uint64_t value = 0;
  while (!r.try_pop(value)) {
  }
  return value;
}

bool pin_to(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return pthread_setaffinity_np(pthread_self(), sizeof cores, &cores) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t blocks = 200, block = 1000, core_a = 0, core_b = 1;
  bench::parse_options(argc, argv, "round trip through two SPSC rings between two threads",
                       {{"--blocks", &blocks, "measurements; their median is reported"},
                        {"--block", &block, "round trips of a measurement"},
                        {"--core-a", &core_a, "of the thread that measures"},
                        {"--core-b", &core_b, "of the other"}});
  ring there, back;
  const std::int64_t warm_up = blocks / 10;
  const auto trips = static_cast<std::uint64_t>((blocks + warm_up) * block);
  std::thread other([&] {
    if (!pin_to(static_cast<int>(core_b))) std::fprintf(stderr, "cannot pin to core %d\n", static_cast<int>(core_b));
    for (std::uint64_t i = 0; i < trips; ++i) push(back, pop(there) + 1);
  });
  const bool pinned = pin_to(static_cast<int>(core_a));

  std::vector<double> nanoseconds;
  std::uint64_t value = 0;
  for (std::int64_t b = -warm_up; b < blocks; ++b) {
    const std::int64_t start = tsubu::now_ns();
    for (std::int64_t i = 0; i < block; ++i) {
      push(there, value);
      value = pop(back);
    }
    if (b >= 0) nanoseconds.push_back(static_cast<double>(tsubu::now_ns() - start) / static_cast<double>(block));
  }
  other.join();

  const bool verified = value == trips;
  bench::result_line line("spsc_ring");
  line.add("peer", "threads").add("pes", 2).add("bytes", 8).add("verified", verified).add("pinned", pinned);
  if (verified) {
    const bench::summary times = bench::summarize(nanoseconds);
    line.add("round_trip_ns", times.median).add(times);
  }
  line.print();
  return verified ? 0 : 1;
}
