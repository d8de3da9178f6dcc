// What the parts of the processor share: registers beyond the ten, sizes, and what words stand for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "abcl/machine/word.hpp"

namespace abcl::machine {

// Registers beyond the ten: what addresses memory, and one for operands that are not there.
inline constexpr int segment_register = 10, node_register = 11, frame_register = 12, no_register = 15;
inline constexpr std::uint32_t boxes_at_a_time = 16, segments_at_a_time = 16;
inline constexpr std::size_t most_stack_words = std::size_t{1} << 21;
inline constexpr std::size_t stack_margin = 4096;  // for the arguments of a call
inline constexpr std::size_t most_array_words = std::size_t{1} << 36;

inline double real(word w) { return std::bit_cast<double>(w); }
inline word bits(double x) { return std::bit_cast<word>(x); }
inline std::int64_t number(word w) { return static_cast<std::int64_t>(w); }
inline word bits(std::int64_t n) { return static_cast<word>(n); }

}  // namespace abcl::machine
