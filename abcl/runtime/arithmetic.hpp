// Int, as ABCL/ST has it: 64 bits that wrap; what has no value ends the job, at its line. (Float is double, as it is.)
#pragma once

#include <cstdint>

#include "abcl/runtime/site.hpp"

namespace abcl {

using integer = std::int64_t;

constexpr integer add(integer a, integer b) {
  return static_cast<integer>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr integer subtract(integer a, integer b) {
  return static_cast<integer>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
constexpr integer multiply(integer a, integer b) {
  return static_cast<integer>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
constexpr integer negate(integer a) { return subtract(0, a); }

// Towards zero. The least Int by -1 wraps.
constexpr integer divide(integer a, integer b, const site& at) {
  if (b == 0) [[unlikely]]
    fail(at, "division by zero");
  return b == -1 ? negate(a) : a / b;
}
// With the sign of the divisor, so that (mod i n) is an index.
constexpr integer modulo(integer a, integer b, const site& at) {
  if (b == 0) [[unlikely]]
    fail(at, "division by zero");
  if (b == -1) return 0;
  const integer rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// (int x): towards zero.
inline integer to_integer(double x, const site& at) {
  if (!(x > -9223372036854777856.0 && x < 9223372036854775808.0)) [[unlikely]]
    fail(at, "the number is no Int");
  return static_cast<integer>(x);
}
constexpr integer to_integer(integer x, const site&) { return x; }

}  // namespace abcl
