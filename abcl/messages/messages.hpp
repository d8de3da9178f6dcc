// The language of messages, made from the typed tree.
#pragma once

#include "abcl/check/tree.hpp"
#include "abcl/code/code.hpp"

namespace abcl {

// All classes and functions of the program, which starts with an object of `start`.
code::program to_messages(const program& p, const sources& texts, const class_def& start);

}  // namespace abcl
