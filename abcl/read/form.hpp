// What the reader makes of a text: brackets and what stands in them, with no meaning yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/text/diagnostic.hpp"

namespace abcl {

struct form {
  enum class kind {
    round,    // ( ... )
    square,   // [ ... ]
    symbol,   // a name or an operator: next-obj, <==, @
    tag,      // :get
    integer,  // 42
    real,     // 4.2e1
    text,     // "..."
    reply,    // !x, with x as its only part
  };

  kind what = kind::symbol;
  span where;
  std::string_view word;  // of a symbol or a tag, as it stands in the source
  std::vector<form> parts;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;

  bool is(kind k) const { return what == k; }
  bool is_symbol(std::string_view name) const { return what == kind::symbol && word == name; }
  // Whether it is ( ... ) with the symbol `name` as its first part.
  bool is_form(std::string_view name) const { return is(kind::round) && begins_with(name); }
  // The same in brackets of either kind.
  bool begins_with(std::string_view name) const { return !parts.empty() && parts.front().is_symbol(name); }
};

// From `;` to the end of its line.
struct comment {
  span where;
  bool alone = false;  // nothing but spaces stands before it on its line
};

struct forms {
  std::vector<form> all;          // at the outermost level
  std::vector<bool> damaged;      // for each of them: its brackets do not fit, so a part of it may be missing
  std::vector<comment> comments;  // in the order of the text
};

// Reads all of `from`, whatever is wrong with it. Brackets may be nested `most_nested` deep.
inline constexpr int most_nested = 500;
forms read(const source& from, diagnostics& into);

}  // namespace abcl
