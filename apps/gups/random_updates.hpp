// The random numbers of HPCC RandomAccess: the powers of x over GF(2), modulo x^64 + x^2 + x + 1. Each one is an
// update: of the table's entry that its low bits name, by exclusive or with the number itself.
//
// Source: HPC Challenge 1.5, RandomAccess (HPCC_starts, POLY, PERIOD).
#pragma once

#include <cstdint>

namespace gups {

inline constexpr std::int64_t period = 1317624576693539401;

constexpr std::uint64_t next(std::uint64_t x) {
  constexpr std::uint64_t polynomial = 7;
  return (x << 1) ^ (static_cast<std::int64_t>(x) < 0 ? polynomial : 0);
}

// The number after n steps from 1; n >= 0. In 64 x 63 steps at most, so that every PE can begin at its place.
std::uint64_t starts(std::int64_t n);

}  // namespace gups
