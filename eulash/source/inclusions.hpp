// Each `#include` of a file of the user's gets a copy of its own: what a header means depends on the macros that are
// defined where it is included, and so does what becomes of it.
#pragma once

#include "eulash/source/program.hpp"

namespace eulash {

// Changes the texts of the program's files so. False if one cannot be read, which Clang has told.
bool separate_inclusions(program& in);

}  // namespace eulash
