// Text that came from outside, fit for a line of a message: a newline in it would forge a second line, and an escape
// sequence would reach the terminal.
#pragma once

#include <string>
#include <string_view>

namespace tsubu {

// What acts on a terminal as \n, \t and \x1b, byte by byte: control characters, those of C1 too, a byte order mark,
// what turns the direction of text, and what is no UTF-8. Nothing else changes.
std::string one_line(std::string_view text);

// The same, and newlines stay: for messages of several lines.
std::string printable_lines(std::string_view text);

// A line under which something is to be marked: each character that acts, or byte that is none, as one question mark,
// and a tab as a space.
std::string masked_line(std::string_view text);

}  // namespace tsubu
