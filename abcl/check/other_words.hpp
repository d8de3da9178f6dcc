// Words of other languages, and what says the same here.
#pragma once

#include <string_view>

namespace abcl {

// "`=` compares" for "=="; null if other languages have no such word.
const char* said_here(std::string_view word);

// The same of a name that stands for a value, `True`.
const char* value_said_here(std::string_view name);

}  // namespace abcl
