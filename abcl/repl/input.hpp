// When an input is complete: all brackets are closed that have been opened.
#pragma once

#include <string_view>

namespace abcl::repl {

// How many brackets are opened in whole lines, outside of texts and comments, less those closed. A line more is needed
// where the sum of all lines is above 0.
int opened_in(std::string_view lines);
// Whether there is nothing but spaces and comments.
bool is_nothing(std::string_view text);

}  // namespace abcl::repl
