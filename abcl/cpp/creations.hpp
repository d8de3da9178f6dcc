// Creations: an object, and where it is made.
#pragma once

#include <string>

#include "abcl/check/nodes.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

std::string create(function_scope& in, const tree::create& e);
// The same, with a name.
cpp_value created(function_scope& in, const tree::create& e);

}  // namespace abcl::cpp
