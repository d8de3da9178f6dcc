// Whether the clauses of a script take what they should: each message of the interface, and each clause some message.
#pragma once

#include <vector>

#include "abcl/check/context.hpp"

namespace abcl {

// Warns of clauses behind one that takes all that they could.
void warn_of_unreachable(const std::vector<clause>& clauses, diagnostics& said);

// Says which messages of the interface have no clause, at the end of a class with a script.
void require_all_clauses(const class_body& c, const type_table& types, diagnostics& said);

}  // namespace abcl
