// A histogram over all PEs, for docs/from_others.md: each draw is counted where its counter is, by a message each.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

using namespace tsubu;

constexpr std::uint64_t counters = 1000, draws = 300'000;

pe_local<std::vector<long>> mine([] { return std::vector<long>(counters); });

void count(std::uint64_t counter) { ++(*mine)[counter]; }

task<int> program(arguments) {
  const auto me = static_cast<std::uint64_t>(this_pe()), pes = static_cast<std::uint64_t>(pe_count());
  for (std::uint64_t i = me; i < draws; i += pes) {
    const std::uint64_t counter = splitmix64(i) % counters;
    co_await at(static_cast<pe_id>(counter % pes)).past<count>(counter / pes);
  }
  co_await quiescence();

  const long most = co_await all_reduce(*std::max_element(mine->begin(), mine->end()), reduce::max);
  if (me == 0) std::printf("the fullest counter has %ld of %d draws\n", most, static_cast<int>(draws));
  co_return 0;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
