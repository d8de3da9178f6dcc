// The primes below N, which is the argument: how many there are, and the largest. Each rank has a block of the numbers,
// and sieves it in segments that fit the cache. To do so, every rank keeps the primes up to the root of N.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

constexpr long segment = 1 << 16;

struct primes {
  long count, largest;
};

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

// Counts the primes below n without finding them (Legendre's way): of the numbers up to each n / i, strikes out those
// whose least prime factor is p, for one p after the other.
long count_primes_below(long n) {
  if (n-- < 3) return 0;
  std::vector<long> up_to;  // n / 1, n / 2, ..., 1
  for (long v = n; v > 0; v = n / (n / v + 1)) up_to.push_back(v);
  const auto place = [&, size = static_cast<long>(up_to.size())](long v) {
    return static_cast<std::size_t>(v * v <= n && v <= n / v ? size - v : n / v - 1);
  };
  std::vector<long> left = up_to;
  for (auto& count : left) --count;
  for (long p = 2; p * p <= n; ++p) {
    const long before = left[place(p - 1)];
    if (left[place(p)] == before) continue;
    for (std::size_t i = 0; i < up_to.size() && up_to[i] >= p * p; ++i) left[i] -= left[place(up_to[i] / p)] - before;
  }
  return left[0];
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
