// An instruction as it is executed: its operands are numbers of registers.
#pragma once

#include <cstdint>

#include "abcl/code/code.hpp"

namespace abcl::machine {

// Registers beyond the ten: what addresses memory, and one for operands that are not there.
inline constexpr int segment_register = 10, node_register = 11, frame_register = 12, no_register = 15;
inline constexpr int registers_in_all = 16;

struct instruction {
  code::opcode what = code::opcode::end;
  std::int8_t d, a, b, c;
  bool is_immediate = false;  // b is k
  std::int16_t note = 0;
  std::int32_t t = -1;
  std::int64_t k = 0;
  std::int32_t u = -1, site = -1;
};

instruction decoded(const code::instruction& from);

}  // namespace abcl::machine
