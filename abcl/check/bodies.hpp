// Bodies: what a class or a function of the program does.
#pragma once

#include "abcl/check/context.hpp"
#include "abcl/check/declarations.hpp"

namespace abcl {

// Behind all headers. `at` is outside of all classes.
void read_body(const context& at, class_text& c);
void read_body(const context& at, function_text& f);

}  // namespace abcl
