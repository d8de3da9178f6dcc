// Selective reception in the middle of a method: the message that has come is put aside, and its clause executed here.
#pragma once

#include <string>

#include "abcl/check/nodes.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

// The value of the clause.
cpp_value wait_for(function_scope& in, const tree::cases& e);

}  // namespace abcl::cpp
