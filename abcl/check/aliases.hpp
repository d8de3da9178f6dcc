// Names that a program has given to types, where errors have them.
#pragma once

#include "abcl/check/tree.hpp"
#include "abcl/text/diagnostic.hpp"

namespace abcl {

// Adds to each error in whose words such a name stands what it stands for.
void explain_aliases(const program& p, diagnostics& said);

}  // namespace abcl
