// What stands in a clause: (=> [pattern ...] where guard form ...).
#pragma once

#include <optional>
#include <vector>

#include "abcl/check/context.hpp"

namespace abcl {

// `=>`, `==>` with replies, and both with express, doubled at the tip.
struct arrow {
  bool replies = false, express = false;
};
// None, and an error has been said, where `f` is no clause with an arrow and a pattern.
std::optional<arrow> arrow_of_clause(const context& at, const form& f);

// Whether `where` stands in the clause `f`.
bool has_guard(const form& f);

// The names in the pattern stand for `elements`, and its literals are of their types.
void read_pattern(const context& at, const form& f, const std::vector<const type*>& elements, clause& c);

void read_guard_and_body(const context& at, const form& f, clause& c, const type* wanted);

}  // namespace abcl
