#include "abcl/cpp/spelling.hpp"

#include <fmt/format.h>

#include <cmath>

namespace abcl::cpp {

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {  // ??/ would be something else
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7F) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

cpp_value number(std::int64_t n) {
  if (n == INT64_MIN) return "std::numeric_limits<abcl::integer>::min()";
  return n < 0 ? compound(std::to_string(n)) : std::to_string(n);
}

cpp_value number(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return std::signbit(x) ? compound(text) : text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void append(std::string& list, std::string_view each) {
  if (!list.empty()) list += ", ";
  list += each;
}

std::vector<std::string> texts(const std::vector<cpp_value>& all) {
  std::vector<std::string> list;
  for (const cpp_value& each : all) list.push_back(each.text);
  return list;
}

std::string joined(const std::vector<std::string>& all) {
  std::string list;
  for (const std::string& each : all) append(list, each);
  return list;
}

}  // namespace abcl::cpp
