// The work that our benchmarks and their peers share, so that both sides do exactly the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

// Random 64-bit numbers: splitmix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators").
// The state is a plain sum, so successive numbers are computed in parallel by the core.
class random_source {
 public:
  explicit constexpr random_source(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// The histogram of bale: each PE has `counters` counters, and each PE adds 1 to uniformly random counters of all PEs.
using counter = std::uint64_t;

struct update {
  std::uint32_t pe;       // whose counter
  std::uint32_t counter;  // which one there
};

// The updates of one PE, made one by one. The two halves of a random number give PE and counter by multiplication.
class update_source {
 public:
  // Different PEs make different updates; the same PE makes the same ones in every run.
  constexpr update_source(std::uint32_t pe, std::uint32_t pes, std::uint32_t counters)
      : random_(random_source(pe + 1).next()), pes_(pes), counters_(counters) {}

  constexpr update next() {
    const std::uint64_t r = random_.next();
    return {static_cast<std::uint32_t>(((r >> 32) * pes_) >> 32),
            static_cast<std::uint32_t>(((r & 0xffffffff) * counters_) >> 32)};
  }

 private:
  random_source random_;
  std::uint64_t pes_;
  std::uint64_t counters_;
};

// The first `count` updates of a PE.
inline std::vector<update> make_updates(std::size_t count, std::uint32_t pe, std::uint32_t pes,
                                        std::uint32_t counters) {
  update_source source(pe, pes, counters);
  std::vector<update> updates(count);
  for (update& u : updates) u = source.next();
  return updates;
}

// Two sums over the whole job that agree when every update arrived once, at its counter: each PE adds up
// sums_of_updates for what it sends and sums_of_counters for what it holds.
struct histogram_sums {
  std::uint64_t updates = 0;  // how many
  std::uint64_t places = 0;   // sum of place(pe, counter), modulo 2^64
};

constexpr std::uint64_t histogram_place(std::uint64_t pe, std::uint64_t counter_index, std::uint64_t counters) {
  return pe * counters + counter_index + 1;
}

inline histogram_sums sums_of_updates(const std::vector<update>& updates, std::uint32_t counters) {
  histogram_sums sums{updates.size(), 0};
  for (const update u : updates) sums.places += histogram_place(u.pe, u.counter, counters);
  return sums;
}

inline histogram_sums sums_of_counters(const std::vector<counter>& held, std::uint32_t pe) {
  histogram_sums sums;
  for (std::size_t i = 0; i < held.size(); ++i) {
    sums.updates += held[i];
    sums.places += held[i] * histogram_place(pe, i, held.size());
  }
  return sums;
}

}  // namespace bench
