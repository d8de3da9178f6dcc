// The C++ back end: a checked program as a C++ program on Tsubu's objects. docs/abcl/compiler.md tells what becomes of
// what.
#pragma once

#include <string>
#include <vector>

#include "abcl/check/tree.hpp"
#include "abcl/text/source.hpp"

namespace abcl {

// The program's C++, with a line directive where the ABCL/ST line changes. It has no errors. It begins with an object
// of `start`, whose arguments come from the command line: Main, or a test, which ends the program when its body has
// ended. `collects`: objects end when nobody can reach them any more.
std::string to_cpp(const program& p, const sources& texts, const class_def& start, bool collects = false);

// Its classes and functions as a header of C++, in that namespace, for programs of C++ that create the objects and send
// messages to them. It may be included in several sources.
std::string to_header(const program& p, const sources& texts, const std::string& in_namespace, bool collects = false);

// What a program has by `foreign`.
struct foreign_parts {
  std::vector<std::string> words;    // for the C++ compiler: where the headers are, and the sources
  std::vector<std::string> headers;  // as files
};
foreign_parts foreign_parts_of(const program& p, const sources& texts);

}  // namespace abcl
