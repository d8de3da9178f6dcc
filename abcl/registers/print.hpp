// The printed form of a program in the register language.
#pragma once

#include <string>

#include "abcl/registers/link.hpp"

namespace abcl::registers {

// `with_machine`: the machine's own texts, too.
std::string shown(const image& of, bool with_machine);
// The text that begins at that address.
std::string shown_text(const image& of, int at);

}  // namespace abcl::registers
