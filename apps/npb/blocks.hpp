// Block distribution of n things over p PEs: PE i owns [floor(n*i/p), floor(n*(i+1)/p)). Any p >= 1, also p > n.
#pragma once

#include <cstdint>

namespace npb {

constexpr std::int64_t block_first(std::int64_t n, std::int64_t p, std::int64_t i) { return n * i / p; }
constexpr std::int64_t block_size(std::int64_t n, std::int64_t p, std::int64_t i) {
  return block_first(n, p, i + 1) - block_first(n, p, i);
}

// The PE that owns thing k, 0 <= k < n: the largest i with floor(n*i/p) <= k.
constexpr std::int64_t block_owner(std::int64_t n, std::int64_t p, std::int64_t k) { return ((k + 1) * p - 1) / n; }

}  // namespace npb
