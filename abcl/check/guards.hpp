// What guards may call, which is known when the effects of all functions are.
#pragma once

#include "abcl/check/tree.hpp"
#include "abcl/text/diagnostic.hpp"

namespace abcl {

// A guard is asked more often than once, and has to say the same each time. Behind find_effects().
void forbid_effects_in_guards(const program& p, diagnostics& said);

}  // namespace abcl
