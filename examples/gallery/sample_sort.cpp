// Sorts 64-bit integers that are spread over the PEs; afterwards each PE holds a range of them, in order.
//
// Some numbers of each PE are a sample, from which everybody finds where the ranges begin and end. Then each number
// goes to the PE of its range, a message each, and each PE sorts what has come.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "examples/gallery/problem/sample_sort.hpp"

using namespace tsubu;

pe_local<numbers> range;

void take(std::uint64_t value) { range->push_back(value); }

task<int> program(arguments args) {
  const auto n = args.number<std::uint64_t>(1, 1'000'000);
  numbers own;
  for (const std::uint64_t i : part_of(n)) own.push_back(splitmix64(i));

  constexpr std::ptrdiff_t sample_size = 64;
  numbers sample(own.begin(), own.begin() + std::min(sample_size, std::ssize(own)));
  numbers samples;
  for (const numbers& of_pe : co_await all_gather(std::move(sample))) {
    samples.insert(samples.end(), of_pe.begin(), of_pe.end());
  }
  std::sort(samples.begin(), samples.end());
  numbers splitters;
  for (std::size_t pe = 1; pe < all_pes().size(); ++pe)
    splitters.push_back(samples[pe * samples.size() / all_pes().size()]);

  for (const std::uint64_t value : own) {
    const auto to = std::upper_bound(splitters.begin(), splitters.end(), value) - splitters.begin();
    co_await at(to).past<take>(value);
  }
  co_await quiescence();
  std::sort(range->begin(), range->end());

  const std::uint64_t first = co_await scan(range->size(), reduce::plus) - range->size();
  const numbers found = co_await all_reduce(figures(*range, first, n), reduce::plus);
  if (this_pe() != 0) co_return 0;
  std::printf("%ju numbers: minimum %ju, median %ju, maximum %ju\n", std::uintmax_t{n}, std::uintmax_t{found[0]},
              std::uintmax_t{found[1]}, std::uintmax_t{found[2]});
  std::printf("checksum %016jx\n", std::uintmax_t{found[3]});
  if (found == figures_of_all(n)) co_return 0;
  std::printf("This is not what a serial sort says.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
