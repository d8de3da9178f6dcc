// The primes below N, which is the argument: how many there are, and the largest. The numbers are cut into segments,
// each of which fits the cache and is sieved by whichever PE takes it. To do so, every PE keeps the primes up to the
// root of N.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdio>
#include <ranges>
#include <string>
#include <vector>

#include "examples/gallery/problem/sieve.hpp"

using namespace tsubu;

constexpr auto add_up = [](primes a, primes b) { return primes{a.count + b.count, std::max(a.largest, b.largest)}; };

pe_local<std::vector<long>> small_primes;  // up to the root of N

void find_small_primes(long n) {
  for (long i = 2; i * i < n; ++i) {
    if (std::ranges::none_of(*small_primes, [i](long p) { return i % p == 0; })) small_primes->push_back(i);
  }
}

primes sieve(long begin, long end) {
  std::vector<char> composite(static_cast<std::size_t>(end - begin));
  for (const long p : *small_primes) {
    if (p * p >= end) break;
    for (long multiple = std::max(p * p, (begin + p - 1) / p * p); multiple < end; multiple += p) {
      composite[static_cast<std::size_t>(multiple - begin)] = 1;
    }
  }
  primes found{0, 0};
  for (long i = std::max(begin, 2L); i < end; ++i) {
    if (!composite[static_cast<std::size_t>(i - begin)]) found = {found.count + 1, i};
  }
  return found;
}

task<int> program(arguments args) {
  const long n = args.number(1, 20'000'000L);
  co_await everywhere().now<find_small_primes>(n);

  const long segments = (n + segment - 1) / segment;
  const auto [count, largest] = co_await parallel_reduce(std::views::iota(0L, segments), 1, add_up, [n](long i) {
    return sieve(i * segment, std::min(n, (i + 1) * segment));
  });
  std::printf("%ld primes below %ld, the largest is %ld\n", count, n, largest);

  const long counted = count_primes_below(n);
  if (count == counted) co_return 0;
  std::printf("There should be %ld.\n", counted);
  co_return 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
