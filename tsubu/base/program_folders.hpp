// Where the files are that a program brings along: beside it, or where it was linked to look for libraries.
#pragma once

#include <string>
#include <vector>

namespace tsubu {

// The folder of the running program.
std::string program_folder();

// The folders in which the dynamic linker looks for this program's libraries, in its order: those of LD_LIBRARY_PATH,
// the program's own (which find_package(tsubu) gives it), the system's.
std::vector<std::string> library_folders();

}  // namespace tsubu
