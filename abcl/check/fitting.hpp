// Whether a value fits where it stands, and what to say where it does not.
#pragma once

#include <string>

#include "abcl/check/context.hpp"

namespace abcl {

// "an Int", "a Buffer".
std::string with_article(const type* t);

// `what_for`, "a condition", has to be of type `wanted`, and the value `e` of the form `f` is not.
void say_mismatch(const context& at, const expression& e, const form& f, const type* wanted,
                  const std::string& what_for);

// The type of what is either of type `a`, which may be null, or of type `b`: without a value, if they have nothing in
// common.
const type* joined(const context& at, const type* a, const type* b);

// Warns if nobody takes the value of `e`, and computing it has done nothing else.
void warn_if_ignored(const expression& e, diagnostics& said);

// Tells what the branches of an `if` are that have no type in common, so that its value is `[]`; "": it is none.
std::string different_branches(const context& at, const expression& e);

}  // namespace abcl
