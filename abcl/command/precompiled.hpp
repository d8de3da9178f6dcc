// What compiled programs include, parsed once for all: a precompiled header in the folder that `abcl` keeps.
//
// It is made when it is missed, by a process that nobody waits for: the program at hand is compiled without it, and the
// next with it. There is one for each compiler and its flags. Beside it is a list of every file that it was made from,
// with size and time of change, the compiler among them; unless all of these are as they were, it is not used. Where it
// cannot be written there is none, and nothing is lost but time.
#pragma once

#include <string>
#include <vector>

namespace abcl {

// What to add to `compiler`, which is its name and flags without source and output, to use the precompiled header: two
// words, or none if there is none that is right; then it is made, from now on.
std::vector<std::string> precompiled(const std::vector<std::string>& compiler);

}  // namespace abcl
