// Where machines' files are looked for: in a folder that the user names, or if he names none in the one that
// TSUBU_MACHINES names; then beside the program, and beside the Tsubu that it was linked with.
#pragma once

#include <string>
#include <vector>

namespace tsubu::sim {

// The file of the machine of that name, or that file (a name with '/' or that ends with ".toml"). A machine that is
// nowhere ends the process with exit code 2, the folders and the machines that there are.
std::string machine_file(const std::string& name_or_file, const std::string& folder = "");

// The names of all machines that are found so, sorted.
std::vector<std::string> machine_names(const std::string& folder = "");

}  // namespace tsubu::sim
