// Synchronisation: forms that wait for several replies.
#pragma once

#include <string>
#include <vector>

#include "abcl/check/nodes.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

// The value of its one box.
cpp_value sync(function_scope& in, const tree::sync& e);
// The values of its boxes, and that of what stands last.
std::vector<cpp_value> sync_values(function_scope& in, const tree::sync& e);

}  // namespace abcl::cpp
