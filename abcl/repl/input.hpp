// When an input is complete: all brackets are closed that have been opened.
#pragma once

#include <string_view>

namespace abcl::repl {

// Whether a line more is needed: brackets are open, outside of texts and comments.
bool is_open(std::string_view text);
// Whether there is nothing but spaces and comments.
bool is_nothing(std::string_view text);

}  // namespace abcl::repl
