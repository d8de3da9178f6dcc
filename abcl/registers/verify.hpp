// Whether a program is one of its language: what a pass may rely on, and has to leave behind.
//
// A block that is reached ends with the one instruction that ends it. Blocks, and rows of tables, that are named exist.
// Instructions belong to the language, and have the operands of their shape. A value is made on every way to where it
// is used; a register is not used behind a wait, but for the one in which a sequence begins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abcl/code/code.hpp"

namespace abcl::registers {

enum class language : std::uint8_t { messages, registers };

// What is wrong with `p`, whose texts have been tidied: a line each, with the text, the block and the instruction.
// Empty: nothing.
std::vector<std::string> faults_of(const code::program& p, language of);

// Throws std::logic_error with the first of them, and with how many there are.
void verify(const code::program& p, language of);

}  // namespace abcl::registers
