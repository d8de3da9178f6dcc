// What both back ends compute with Ints and Floats where C++ has no answer, or another one.
#pragma once

#include <cstdint>

namespace abcl {

using integer = std::int64_t;

// Towards zero, by what is not 0. The least Int by -1 wraps.
constexpr integer quotient(integer a, integer b) {
  return b == -1 ? static_cast<integer>(0 - static_cast<std::uint64_t>(a)) : a / b;
}
// With the sign of the divisor, which is not 0, so that (mod i n) is an index.
constexpr integer floored_remainder(integer a, integer b) {
  if (b == -1) return 0;
  const integer rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
// Whether a Float, cut off towards zero, is an Int.
constexpr bool is_an_integer(double x) { return x > -9223372036854777856.0 && x < 9223372036854775808.0; }

// The status of the job after (exit n): n modulo 256, but no error becomes 0.
constexpr int status_of_exit(integer n) {
  const auto low = static_cast<int>(n & 0xff);
  return low == 0 && n != 0 ? 1 : low;
}

}  // namespace abcl
