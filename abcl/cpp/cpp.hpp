// The C++ back end: a checked program as a C++ program on Tsubu's objects. docs/abcl/compiler.md tells what becomes of
// what.
#pragma once

#include <string>

#include "abcl/check/tree.hpp"
#include "abcl/text/source.hpp"

namespace abcl {

// The program's C++, with a line directive where the ABCL/ST line changes. It has a class Main without errors.
std::string to_cpp(const program& p, const sources& texts);

}  // namespace abcl
