#include "abcl/check/aliases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abcl {
namespace {

// Whether `name` stands in `text` as a word of its own.
bool has_word(std::string_view text, std::string_view name) {
  constexpr std::string_view ends = " ()[]`,;:\"";
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || ends.find(text[at - 1]) != std::string_view::npos;
    if (begins && (end == text.size() || ends.find(text[end]) != std::string_view::npos)) return true;
  }
  return false;
}

bool names(const diagnostic& d, std::string_view name) {
  return has_word(d.message, name) || has_word(d.label, name) ||
         std::any_of(d.notes.begin(), d.notes.end(), [&](const note& n) { return has_word(n.text, name); }) ||
         std::any_of(d.help.begin(), d.help.end(), [&](const std::string& h) { return has_word(h, name); });
}

// It is about the definition of `a`, or of what has the same name.
bool is_about(const diagnostic& d, const type_alias& a) {
  return d.where == a.name_where ||
         std::any_of(d.notes.begin(), d.notes.end(), [&](const note& n) { return n.where == a.name_where; });
}

}  // namespace

void explain_aliases(const program& p, diagnostics& said) {
  if (p.aliases.empty()) return;
  said.each([&](diagnostic& d) {
    // What a name stands for may have another one in it, which is explained behind it.
    for (bool more = true; more;) {
      more = false;
      for (const type_alias& a : p.aliases) {
        if (a.of->is_error() || is_about(d, a) || !names(d, a.name)) continue;
        std::string fact = fmt::format("{} is {}", a.name, written_out(a.of));
        if (std::find(d.help.begin(), d.help.end(), fact) != d.help.end()) continue;
        d.help.push_back(std::move(fact));
        more = true;
      }
    }
  });
}

}  // namespace abcl
