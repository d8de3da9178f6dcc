// Numbers and texts as `print` writes them, in both back ends.
#pragma once

#include <charconv>
#include <cmath>
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
// As many digits as it takes to read it back; with an exponent only where there would be many zeros. Whether a NaN is
// negative depends on the processor.
inline void append_text(std::string& to, double value) {
  if (std::isnan(value)) {
    to += "nan";
    return;
  }
  char digits[40];
  const double size = std::fabs(value);
  const auto end = size >= 1e-4 && size < 1e16
                       ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr
                       : std::to_chars(digits, digits + sizeof digits, value).ptr;
  const std::string text(digits, end);
  to += text;
  if (text.find_first_not_of("-0123456789") == std::string::npos) to += ".0";
}

}  // namespace abcl
