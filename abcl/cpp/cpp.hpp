// The C++ back end: a checked program as a C++ program on Tsubu's objects. docs/abcl/compiler.md tells what becomes of
// what.
#pragma once

#include <string>

#include "abcl/check/tree.hpp"
#include "abcl/text/source.hpp"

namespace abcl {

// The program's C++, with a line directive where the ABCL/ST line changes. It has no errors. It begins with an object
// of `start`, whose arguments come from the command line: Main, or a test, which ends the program when its body has
// ended.
std::string to_cpp(const program& p, const sources& texts, const class_def& start);

}  // namespace abcl
