#include "tsubu/base/printable.hpp"

namespace tsubu {
namespace {

void append_shown(std::string& to, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  if (code >= 0x20 && code != 0x7f) {
    to += c;
  } else if (c == '\n') {
    to += "\\n";
  } else if (c == '\t') {
    to += "\\t";
  } else {
    to.append("\\x").append(1, digits[code / 16]).append(1, digits[code % 16]);
  }
}

std::string spelled(std::string_view text, bool lines_stay) {
  std::string shown;
  shown.reserve(text.size());
  for (const char c : text) {
    if (c == '\n' && lines_stay) {
      shown += c;
    } else {
      append_shown(shown, c);
    }
  }
  return shown;
}

}  // namespace

std::string one_line(std::string_view text) { return spelled(text, false); }
std::string printable_lines(std::string_view text) { return spelled(text, true); }

}  // namespace tsubu
