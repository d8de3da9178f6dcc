// Values: each becomes a C++ expression that has no effects, behind statements for what has.
#pragma once

#include <string>
#include <vector>

#include "abcl/check/tree.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

cpp_value value(function_scope& in, const expression& e);
// Whether value() writes no statements.
bool is_inline(const expression& e);

// The values of parts, evaluated in their order.
std::vector<cpp_value> values_of(function_scope& in, const std::vector<const expression*>& parts);
std::vector<cpp_value> values(function_scope& in, const expressions& parts);
// A message or tuple, by its elements.
std::vector<cpp_value> elements(function_scope& in, const expression& e);

// What is sent or kept shares nothing with who has sent it.
std::string copied(const type* of, const cpp_value& value);

}  // namespace abcl::cpp
