// A histogram spread over all PEs: one message per datum.
//
// Nobody packs, sorts or counts messages here. Two things keep a million of them in hand:
// back-pressure, that a sender does not run ahead of its receivers, and quiescence, to know the end.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

using namespace tsubu;

constexpr std::uint64_t bins_per_pe = 1000, updates_per_pe = 200'000;

pe_local<std::vector<std::uint64_t>> bins([] { return std::vector<std::uint64_t>(bins_per_pe); });

// Runs on the PE that owns the bin. Its body is compiled into the loop over an arrived batch.
void add_one(std::uint32_t bin) { ++(*bins)[bin]; }

// Splitmix64: the same numbers in every run.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

task<int> program(arguments) {
  const std::uint64_t all_bins = bins_per_pe * all_pes().size();
  random_numbers random(pe_index() + 1);

  std::uint64_t sum_sent = 0;
  for (std::uint64_t i = 0; i < updates_per_pe; ++i) {
    const std::uint64_t bin = random.next() % all_bins;
    sum_sent += bin;
    // Awaited, a past message is ready at once while there is room on the way to its PE, and holds
    // the sender back while there is none. It does not wait for the message to be executed.
    co_await at(bin / bins_per_pe).past<add_one>(bin % bins_per_pe);
  }

  // No message in flight and nothing left to do, on any PE. Exact: it counts, it does not guess.
  co_await quiescence();

  std::uint64_t sum_held = 0;
  for (std::uint64_t b = 0; b < bins_per_pe; ++b) sum_held += (*bins)[b] * (pe_index() * bins_per_pe + b);
  const std::uint64_t held = std::accumulate(bins->begin(), bins->end(), std::uint64_t{0});

  const std::uint64_t updates = co_await all_reduce(held, reduce::plus);
  const bool sums_agree = co_await all_reduce(sum_sent - sum_held, reduce::plus) == 0;
  const bool right = updates == updates_per_pe * all_pes().size() && sums_agree;
  if (this_pe() == 0) std::printf("%ju updates\n", std::uintmax_t{updates});
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
