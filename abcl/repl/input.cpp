#include "abcl/repl/input.hpp"

namespace abcl::repl {
namespace {

// Calls `each` with what is neither in a text nor in a comment; a text is its first quote.
void outside_texts(std::string_view text, const auto& each) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ';') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
      continue;
    }
    each(text[i]);
    if (text[i] != '"') continue;
    // A text ends on its line.
    for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i) {
      if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
    }
  }
}

}  // namespace

int opened_in(std::string_view lines) {
  int depth = 0;
  outside_texts(lines, [&](char c) { depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0; });
  return depth;
}

bool is_nothing(std::string_view text) {
  bool nothing = true;
  outside_texts(text, [&](char c) { nothing &= c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return nothing;
}

}  // namespace abcl::repl
