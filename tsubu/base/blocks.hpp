// Things dealt in blocks: 0, 1, ..., n - 1 in sequence, and the first n mod `owners` owners have one more than the
// others.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tsubu::detail {

// The first thing of an owner; n for the one behind the last. owners > 0.
constexpr std::size_t block_begin(std::size_t n, std::size_t owners, std::size_t owner) {
  return owner * (n / owners) + std::min(owner, n % owners);
}

// Who has thing i < n.
constexpr std::size_t block_owner(std::size_t n, std::size_t owners, std::size_t i) {
  const std::size_t least = n / owners, larger = n % owners, in_larger = larger * (least + 1);
  return i < in_larger ? i / (least + 1) : larger + (i - in_larger) / least;
}

}  // namespace tsubu::detail
