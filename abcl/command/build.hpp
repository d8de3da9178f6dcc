// From a program to an executable: its C++, and the C++ compiler.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tsubu/base/leftovers.hpp"

namespace abcl {

struct build_options {
  std::string cxx;                   // the C++ compiler; "": CXX of the environment, else the one that has built abcl
  std::vector<std::string> with;     // for it, behind the program: other sources, flags
  std::vector<std::string> headers;  // that the program includes from beside it: files, for the cache only
  bool collect = false;              // objects end when nobody can reach them
  bool debug = false;                // no optimisation, so that it compiles faster
  bool verbose = false;              // tell what is called
};

// Compiles the C++ text `cpp` of a program into the executable `to`, which is not touched if that fails. False if the
// compiler ended with an error, which it has told. Throws std::runtime_error.
bool build(const std::string& cpp, const std::string& to, const build_options& how);

// An executable, which is there as long as this is, or as the cache keeps it.
struct executable {
  std::string path;                    // "" if the compiler ended with an error
  std::shared_ptr<const void> folder;  // that goes away with it, if there is no cache
};

// The executable of `cpp` among those that were built before, or a new one. Several processes may ask for the same at a
// time.
executable built_before(const std::string& cpp, const build_options& how);

// Writes a file, whole or not at all. Throws std::runtime_error.
void write(const std::string& path, const std::string& text);

// Calls a program with arguments, the first of which is its name. Its exit status. A signal that ends this process ends
// it, too, and with reach::group what it has started: for those that do not read from the terminal.
int call(const std::vector<std::string>& command, tsubu::reach signals = tsubu::reach::process);

}  // namespace abcl
