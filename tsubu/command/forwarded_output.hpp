// Running a program whose output this process forwards, since the program would not say that it is lost: Open MPI's
// launcher ends with 0 on a full disk.
#pragma once

#include <string>
#include <vector>

namespace tsubu::command {

// Runs a command whose standard output goes through this process, which notes what cannot be written. Its exit code,
// or 128 and the signal that ended it. One that cannot be started ends this process with one line.
int run_and_forward(const std::vector<std::string>& words);

}  // namespace tsubu::command
