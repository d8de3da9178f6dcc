// Calls of functions: of the program, of C++, of the library.
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

// `f` is (name ...), and the name is that of no form and no operator.
expression_ptr call(const context& at, const form& f);

}  // namespace abcl
