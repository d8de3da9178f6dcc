// Functions and classes of C++. They are declared as those of the program are; where these have a body, they have their
// name in C++.
#pragma once

#include "abcl/check/context.hpp"
#include "abcl/check/declarations.hpp"

namespace abcl {

void read_foreign_body(const context& at, const class_text& c);
void read_foreign_body(const context& at, const function_text& f);

}  // namespace abcl
