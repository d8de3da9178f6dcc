// Text that came from outside, fit for a line of a message: a newline in it would forge a second line, and an escape
// sequence would reach the terminal.
#pragma once

#include <string>
#include <string_view>

namespace tsubu {

// Control characters as \n, \t and \x1b; nothing else changes.
std::string one_line(std::string_view text);

// The same, and newlines stay: for messages of several lines.
std::string printable_lines(std::string_view text);

}  // namespace tsubu
