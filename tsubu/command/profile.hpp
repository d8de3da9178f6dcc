// `tsubu profile`: what a profile of shared data says, as a table and as a picture.
#pragma once

#include <string>

namespace tsubu::command {

struct profile_view {
  std::string file;    // by --tsubu-profile of a job
  std::string folder;  // for the picture; empty: none
};

// Prints the table. Returns the exit code.
int show_profile(const profile_view& what);

}  // namespace tsubu::command
