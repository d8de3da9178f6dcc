// Lines of the program, as opposed to the runtime's own, for errors that end a job.
#pragma once

#include <string>
#include <string_view>

namespace tsubu {

// Whether a source file, by its path, is the runtime's own: one in a folder of tsubu/.
bool is_of_the_runtime(std::string_view file);

// "step" out of "step(step(int)::_Z4stepi.Frame*) [clone .actor]", a coroutine to g++; "best<int>" out of
// "std::string best<int>(int)".
std::string short_function_name(std::string_view function);

// From where in the program this thread has come into the runtime: "at work.cpp:9, in step"; without a line where the
// program was compiled without -g. "" if it did not come from the program, or that cannot be found out: addr2line
// (binutils) is asked, for three seconds at most. Not for signal handlers.
std::string line_of_the_program();
// The same, of what addr2line has said.
std::string line_of_the_program_in(std::string_view calls);

}  // namespace tsubu
