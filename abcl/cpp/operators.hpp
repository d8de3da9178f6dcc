// Operators: of C++ where they mean the same, else functions of the runtime.
#pragma once

#include <string>

#include "abcl/check/nodes.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

cpp_value compute(function_scope& in, const tree::compute& e);

}  // namespace abcl::cpp
