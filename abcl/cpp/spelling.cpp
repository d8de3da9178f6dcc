#include "abcl/cpp/spelling.hpp"

#include <fmt/format.h>

#include <cmath>

namespace abcl::cpp {

std::string quoted(std::string_view text) {
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

std::string without_brackets(const std::string& cpp) {
  if (!cpp.starts_with('(') || !cpp.ends_with(')')) return cpp;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < cpp.size(); ++i) {
    if (quoted) {
      if (cpp[i] == '\\')
        ++i;
      else
        quoted = cpp[i] != '"';
      continue;
    }
    quoted = cpp[i] == '"';
    depth += cpp[i] == '(' ? 1 : cpp[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < cpp.size()) return cpp;
  }
  return cpp.substr(1, cpp.size() - 2);
}

std::string number(std::int64_t n) {
  if (n == INT64_MIN) return "std::numeric_limits<abcl::integer>::min()";
  return n < 0 ? fmt::format("({})", n) : std::to_string(n);
}

std::string number(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return std::signbit(x) ? '(' + text + ')' : text;
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

std::string joined(const std::vector<std::string>& all) {
  std::string list;
  for (const std::string& each : all) append(list, each);
  return list;
}

}  // namespace abcl::cpp
