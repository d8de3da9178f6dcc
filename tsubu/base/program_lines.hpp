// Lines of the program, as opposed to the runtime's own, for errors that end a job.
#pragma once

#include <string>
#include <string_view>

namespace tsubu {

// Whether a source file, by its path, is the runtime's own.
bool is_of_the_runtime(std::string_view file);

// From where in the program this thread has come into the runtime: "work.cpp:9, in step"; without a line where the
// program was compiled without -g. "" if it did not come from the program, or that cannot be found out: addr2line
// (binutils) is asked, for three seconds at most. Not for signal handlers.
std::string line_of_the_program();

}  // namespace tsubu
