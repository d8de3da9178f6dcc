// Headers: what others see of a class or a function. They are read before all bodies, so that these may name what comes
// later.
#pragma once

#include "abcl/check/context.hpp"
#include "abcl/check/declarations.hpp"

namespace abcl {

// The interface and the creation arguments.
void read_header(const context& at, class_text& c);
// The arguments and the type of the result.
void read_header(const context& at, function_text& f);

}  // namespace abcl
