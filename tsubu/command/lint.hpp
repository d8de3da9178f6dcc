// `tsubu lint`: places in a user's own sources where a g++ starts a co_await that is not to be evaluated.
//
// What is right and what is not is a table of docs/hazards.md. clang-query reads the sources; where it is not
// installed, that is said.
#pragma once

#include <string>
#include <vector>

namespace tsubu::command {

struct lint_request {
  std::vector<std::string> files;
  std::string build;                 // a folder with compile_commands.json; empty: C++20, and Tsubu's own headers
  std::vector<std::string> include;  // folders, where there is none
  std::vector<std::string> define;
  int jobs = 0;  // at a time; 0: as many as cores this process may use
};

// Prints each place with its line and what to write instead. Returns 0 if there is none and 1 if there is one; ends the
// process with 2 where a file cannot be read as C++, with 69 without clang-query.
int lint(const lint_request& what);

}  // namespace tsubu::command
