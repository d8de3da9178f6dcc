// The reactive texts and the node's handlers, in the printed form of the register language.
#pragma once

#include <string_view>

namespace abcl::registers {

std::string_view handlers_text();

}  // namespace abcl::registers
