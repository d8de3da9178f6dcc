// The bits of an Int, of the library of ABCL/ST. An Int is its 64 bits in two's complement. They are moved by any
// number of places: by 64 or more they are all gone, and a negative number moves them the other way.
#pragma once

#include <cstdint>

#include "abcl/runtime/integers.hpp"

namespace abcl::library {

constexpr integer bit_and(integer a, integer b) { return a & b; }
constexpr integer bit_or(integer a, integer b) { return a | b; }
constexpr integer bit_xor(integer a, integer b) { return a ^ b; }
constexpr integer bit_not(integer a) { return ~a; }

namespace places {

constexpr int all = 64;

constexpr integer left(integer a, std::uint64_t by) {
  return by < all ? static_cast<integer>(static_cast<std::uint64_t>(a) << by) : 0;
}
// The sign fills what becomes free.
constexpr integer right(integer a, std::uint64_t by) { return a >> (by < all ? by : all - 1); }
constexpr integer right_zero(integer a, std::uint64_t by) {
  return by < all ? static_cast<integer>(static_cast<std::uint64_t>(a) >> by) : 0;
}
// The least Int has one, too.
constexpr std::uint64_t opposite(integer by) { return 0 - static_cast<std::uint64_t>(by); }

}  // namespace places

constexpr integer shift_left(integer a, integer by) {
  return by >= 0 ? places::left(a, static_cast<std::uint64_t>(by)) : places::right(a, places::opposite(by));
}
constexpr integer shift_right(integer a, integer by) {
  return by >= 0 ? places::right(a, static_cast<std::uint64_t>(by)) : places::left(a, places::opposite(by));
}
constexpr integer shift_right_zero(integer a, integer by) {
  return by >= 0 ? places::right_zero(a, static_cast<std::uint64_t>(by)) : places::left(a, places::opposite(by));
}

}  // namespace abcl::library
