// Int, as ABCL/ST has it: 64 bits that wrap; what has no value ends the job, at its line. (Float is double, as it is.)
#pragma once

#include <cstdint>

#include "abcl/runtime/integers.hpp"
#include "abcl/runtime/site.hpp"

namespace abcl {

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

constexpr integer divide(integer a, integer b, const site& at) {
  if (b == 0) [[unlikely]]
    fail(at, "division by zero");
  return quotient(a, b);
}
constexpr integer modulo(integer a, integer b, const site& at) {
  if (b == 0) [[unlikely]]
    fail(at, "division by zero");
  return floored_remainder(a, b);
}

// (int x): towards zero.
inline integer to_integer(double x, const site& at) {
  if (!is_an_integer(x)) [[unlikely]]
    fail(at, "the number is no Int");
  return static_cast<integer>(x);
}
constexpr integer to_integer(integer x, const site&) { return x; }

}  // namespace abcl
