// How many primes there are below n, found without finding them.
#pragma once

#include <cstddef>
#include <vector>

inline constexpr long segment = 1 << 16;

struct primes {
  long count, largest;
};

// Counts the primes below n without finding them (Legendre's way): of the numbers up to each n / i, strikes out those
// whose least prime factor is p, for one p after the other.
inline long count_primes_below(long n) {
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
