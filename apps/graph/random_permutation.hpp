// A random permutation of 0 .. n - 1 as a function, so that every PE can make its part of it without the others, and
// every number of PEs gets the same one: a Feistel network over the next power of four, walked until it falls below n.
// Source: Black, Rogaway, Ciphers with arbitrary finite domains, CT-RSA 2002.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "apps/graph/cyclic.hpp"
#include "tsubu/base/random.hpp"

namespace graph {

class random_permutation {
 public:
  random_permutation(std::uint64_t seed, vertex n)
      : n_(n), half_bits_((static_cast<unsigned>(std::bit_width(n > 1 ? n - 1 : 1U)) + 1) / 2) {
    tsubu::random_source numbers(seed);
    for (std::uint64_t& key : keys_) key = numbers();
  }

  // Where `i` goes; i < n.
  vertex operator()(vertex i) const {
    do i = scrambled(i);
    while (i >= n_);
    return i;
  }

 private:
  vertex scrambled(vertex i) const {
    const vertex mask = (vertex{1} << half_bits_) - 1;
    vertex left = i >> half_bits_, right = i & mask;
    for (const std::uint64_t key : keys_) {
      const auto noise = static_cast<vertex>(tsubu::random_source(key ^ right)());
      left = std::exchange(right, (left ^ noise) & mask);
    }
    return (left << half_bits_) | right;
  }

  vertex n_;
  unsigned half_bits_;
  std::array<std::uint64_t, 6> keys_;
};

}  // namespace graph
