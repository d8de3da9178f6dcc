// `tsubu doctor`: looks at what a job needs, says what is wrong, and how to mend it.
#pragma once

#include <string>

namespace tsubu::command {

// Prints a table of checks. Returns 0 unless one failed. `self` is this program, which is started as a small job.
int doctor(const std::string& self);

}  // namespace tsubu::command
