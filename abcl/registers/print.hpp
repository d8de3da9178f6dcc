// The printed form of a program in the register language.
#pragma once

#include <string>

#include "abcl/registers/link.hpp"

namespace abcl::registers {

// `with_machine`: the machine's own texts, too.
std::string shown(const image& of, bool with_machine);

}  // namespace abcl::registers
