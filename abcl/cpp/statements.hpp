// Statements: what is done for its effect, and how control goes.
#pragma once

#include <string>

#include "abcl/check/tree.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

// Whether it ends in other expressions: that of each branch, the last of a sequence.
bool is_branching(const expression& e);

void statement(function_scope& in, const expression& e);
void statements(function_scope& in, const expressions& body);
// All but the last, which is returned; null: there is none.
const expression* before_last(function_scope& in, const expressions& body);
// Those of a clause whose reply is what its method returns.
void returning_statements(function_scope& in, const expressions& body);
void assign(function_scope& in, const std::string& to, const expression& e);

}  // namespace abcl::cpp
