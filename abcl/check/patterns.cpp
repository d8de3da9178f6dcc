#include "abcl/check/patterns.hpp"

#include <fmt/format.h>

#include "abcl/check/expressions.hpp"
#include "abcl/check/messages.hpp"

namespace abcl {
namespace {

std::optional<arrow> arrow_at(const form& f) {
  if (f.is_symbol("=>")) return arrow{};
  if (f.is_symbol("==>")) return arrow{.replies = true};
  if (f.is_symbol("=>>")) return arrow{.express = true};
  if (f.is_symbol("==>>")) return arrow{.replies = true, .express = true};
  return {};
}

bool is_literal(const form& f) {
  using kind = form::kind;
  return f.is(kind::integer) || f.is(kind::real) || f.is(kind::text) || f.is_symbol("true") || f.is_symbol("false") ||
         f.is_symbol("nil");
}

}  // namespace

std::optional<arrow> arrow_of_clause(const context& at, const form& f) {
  const std::optional<arrow> found = f.is(form::kind::round) && !f.parts.empty() ? arrow_at(f.parts[0]) : std::nullopt;
  if (found && f.parts.size() >= 2 && f.parts[1].is(form::kind::square)) return found;
  if (at.in_class != nullptr) at.in_class->clauses_are_wrong = true;
  if (found) {
    at.said.error(20, f.parts[0].where, "a clause begins with the message that it takes",
                  "[:tag name ...] is expected behind it");
  } else {
    at.said.error(20, f.where, "a clause is expected", "(=> [name ...] form ...)")
        .help.push_back(
            "it begins with `=>`; with `==>` if it replies; doubled at the tip, `=>>`, for express messages");
  }
  return {};
}

bool has_guard(const form& f) { return f.parts.size() > 2 && f.parts[2].is_symbol("where"); }

void read_pattern(const context& at, const form& f, const std::vector<const type*>& elements, clause& c) {
  const std::vector<form>& parts = f.parts[1].parts;
  const std::size_t first = tag_of(f.parts[1]).empty() ? 0 : 1;
  for (std::size_t i = first; i < parts.size(); ++i) {
    const type* const of = i - first < elements.size() ? elements[i - first] : at.types.unknown;
    pattern_element& p = c.pattern.emplace_back();
    if (parts[i].is_symbol("_")) continue;  // takes anything
    if (is_literal(parts[i])) {
      p.literal = value_as(at, parts[i], of, [&] { return fmt::format("element {} of this message", i - first + 1); });
    } else if (parts[i].is(form::kind::symbol)) {
      p.bound = at.names.declare(variable::kind::pattern, parts[i], of);
    } else {
      at.said.error(21, parts[i].where, "a pattern consists of names, literals and `_`", "none of them")
          .help.push_back("a condition stands behind the pattern: (=> [n] where (> n 0) ...)");
      c.takes = nullptr;
    }
  }
}

void read_guard_and_body(const context& at, const form& f, clause& c, const type* wanted) {
  std::size_t first = 2;
  if (has_guard(f)) {
    if (f.parts.size() == 3) {
      at.said.error(20, f.parts[2].where, "`where` is followed by a condition", "none is here");
      c.of = at.types.unknown;
      return;
    }
    context guard = as_operand(at);
    guard.in_guard = true;
    c.guard = value_as(guard, f.parts[3], at.types.boolean, "a guard");
    first = 4;
  }
  c.of = sequence(at, f, first, c.body, wanted);
}

}  // namespace abcl
