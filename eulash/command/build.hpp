// From placed sources to an executable: the C compiler, and where Tsubu is.
#pragma once

#include <string>
#include <vector>

#include "eulash/command/options.hpp"
#include "eulash/rewrite/translation.hpp"

namespace eulash {

struct build_options {
  std::string to = "a.out";
  std::string keep;    // a folder for the sources that are made; "": they go when the program is built
  bool races = false;  // the program looks for them
  bool verbose = false;
};

// The macros for expand_anl_macros().
std::string anl_macros();

// 0, or what the compiler has ended with. Throws std::runtime_error.
int build(const std::vector<translated_file>& sources, const compiler_words& words, const build_options& how);

}  // namespace eulash
