// Programs in the macros of Argonne National Laboratory (LOCK, BARRIER, CREATE, ..), as those of SPLASH: m4 replaces
// these by POSIX threads before anything else reads the text.
#pragma once

#include <string>
#include <vector>

#include "eulash/source/program.hpp"

namespace eulash {

// Changes the texts of those files, and adds NAME.h for each NAME.H beside them where there is none. `macros` is
// eulash/anl/anl.m4. Lines stay those of the files. Throws std::runtime_error if there is no m4, or it fails.
void expand_anl_macros(program& in, const std::vector<std::string>& files, const std::string& macros);

}  // namespace eulash
