// The value of an expression at the prompt, as text: as it would be written, where that can be.
#pragma once

#include <string>

#include "abcl/machine/processor.hpp"
#include "abcl/types/type.hpp"

namespace abcl::repl {

// The value of type `t` whose words begin at word `at` of `object`, on this node. Of long arrays, the first elements.
std::string text_of_value(const type* t, machine::processor& cpu, machine::word object, int at);

}  // namespace abcl::repl
