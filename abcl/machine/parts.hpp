// What a word stands for, where it is no name.
#pragma once

#include <bit>
#include <cstdint>

#include "abcl/machine/word.hpp"

namespace abcl::machine {

inline double real(word w) { return std::bit_cast<double>(w); }
inline word bits(double x) { return std::bit_cast<word>(x); }
inline std::int64_t number(word w) { return static_cast<std::int64_t>(w); }
inline word bits(std::int64_t n) { return static_cast<word>(n); }

}  // namespace abcl::machine
