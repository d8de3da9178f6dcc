// The primes below N, which is the argument: how many there are, and the largest. Each rank has a block of the numbers,
// and sieves it in segments that fit the cache. To do so, every rank keeps the primes up to the root of N.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/gallery/problem/sieve.hpp"

std::vector<long> small_primes;  // up to the root of N

void find_small_primes(long n) {
  for (long i = 2; i * i < n; ++i) {
    if (std::ranges::none_of(small_primes, [i](long p) { return i % p == 0; })) small_primes.push_back(i);
  }
}

primes sieve(long begin, long end) {
  std::vector<char> composite(static_cast<std::size_t>(end - begin));
  for (const long p : small_primes) {
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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const long n = argc > 1 ? std::stol(argv[1]) : 20'000'000;
  find_small_primes(n);

  primes mine{0, 0};
  const long end = n * (rank + 1) / ranks;
  for (long begin = n * rank / ranks; begin < end; begin += segment) {
    const primes found = sieve(begin, std::min(end, begin + segment));
    mine = {mine.count + found.count, std::max(mine.largest, found.largest)};
  }
  long count = 0, largest = 0;
  MPI_Reduce(&mine.count, &count, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine.largest, &largest, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);

  bool right = true;
  if (rank == 0) {
    std::printf("%ld primes below %ld, the largest is %ld\n", count, n, largest);

    const long counted = count_primes_below(n);
    right = count == counted;
    if (!right) std::printf("There should be %ld.\n", counted);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
