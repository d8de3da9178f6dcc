// Which words may be the name of something.
#pragma once

#include "abcl/read/form.hpp"

namespace abcl {

// Whether the word means something in the language, as `class`.
bool is_reserved(std::string_view word);

// Whether it consists of the signs of operators.
bool is_operator(std::string_view word);

// Whether `f` may be the name of `of_what`, "a class"; says why if it may not.
bool is_name(const form& f, const char* of_what, diagnostics& said);

}  // namespace abcl
