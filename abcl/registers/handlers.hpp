// The reactive texts and the node's handlers, in the printed form of the register language.
#pragma once

#include <string_view>

namespace abcl::registers {

std::string_view handlers_text();
// That of `create` in a program that is compiled with a collector; the others are those above.
std::string_view create_and_count_text();

}  // namespace abcl::registers
