#include "apps/gups/random_updates.hpp"

#include <array>
#include <bit>

namespace gups {

std::uint64_t starts(std::int64_t n) {
  n %= period;
  if (n == 0) return 1;
  std::array<std::uint64_t, 64> squared;  // the squares of 1, x, x^2, ...
  std::uint64_t power = 1;
  for (std::uint64_t& square : squared) {
    square = power;
    power = next(next(power));
  }
  // Square and multiply by x, along the bits of n below its highest.
  std::uint64_t result = 2;
  for (int bit = 62 - std::countl_zero(static_cast<std::uint64_t>(n)); bit >= 0; --bit) {
    std::uint64_t square = 0;
    for (std::size_t i = 0; i < squared.size(); ++i) {
      if ((result >> i & 1) != 0) square ^= squared[i];
    }
    result = (n >> bit & 1) != 0 ? next(square) : square;
  }
  return result;
}

}  // namespace gups
