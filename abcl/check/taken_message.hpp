// Which message of its class's interface a clause takes.
#pragma once

#include "abcl/check/context.hpp"
#include "abcl/check/patterns.hpp"

namespace abcl {

// Null, and an error has been said, if the interface has no such message; null, too, if it is not known. `a` is what
// the clause `f` begins with; it becomes `==>` where that must have been meant.
const type* taken_by(const context& at, const form& f, arrow& a);

}  // namespace abcl
