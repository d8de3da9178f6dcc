// Functions: what only computes.
#pragma once

#include <string>

#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

// What is declared, or stands before the body.
std::string signature(function_scope& in, const function_def& f, bool declares);

void declare_functions(translation_unit& to);
void write_functions(translation_unit& to);

}  // namespace abcl::cpp
