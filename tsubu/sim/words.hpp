// Words for messages about what a file or an option says.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tsubu::sim {

// "a, b, c".
std::string list(std::span<const std::string_view> names);

// "; did you mean em4?", or "" if none of `known` is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

// Without the spaces at both ends.
std::string_view trimmed(std::string_view text);

// Ends the process with exit code 2 and "tsubu: " and that text.
[[noreturn]] void refuse(const std::string& text);

}  // namespace tsubu::sim
