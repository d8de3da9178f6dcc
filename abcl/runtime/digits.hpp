// Numbers and texts as `print` writes them, in both back ends.
#pragma once

#include <charconv>
#include <concepts>
#include <string>

namespace abcl {

inline void append_text(std::string& to, bool value) { to += value ? "true" : "false"; }
template <std::integral I>
void append_text(std::string& to, I value) {
  to += std::to_string(value);
}
inline void append_text(std::string& to, const char* value) { to += value; }
inline void append_text(std::string& to, const std::string& value) { to += value; }
inline void append_text(std::string& to, double value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  const std::string text(digits, end);
  to += text;
  if (text.find_first_not_of("-0123456789") == std::string::npos) to += ".0";
}

}  // namespace abcl
