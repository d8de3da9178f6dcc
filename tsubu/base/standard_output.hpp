// The standard output of the process, and that nothing printed to it is lost in silence.
//
// Whoever prints may do so by printf(), std::cout, fmt or write_output(): an error shows late, when a full buffer is
// written, and often last of all, when the process ends. So it is looked for there, once, for all of them: a process
// whose output could not be written says so in a line, and ends with exit_code::lost_output where it would have ended
// with 0. That holds for each program that has Tsubu in it, from before its main() on.
//
// A process that was started without a standard stream gets one that refuses all: else the next file that it opens
// would have that number, and what is printed would go there.
#pragma once

#include <string_view>

namespace tsubu {

namespace exit_code {
inline constexpr int lost_output = 74;  // EX_IOERR of sysexits.h
}  // namespace exit_code

// Prints the text as it is, by way of C's buffer. An error is told at the end.
// Local; may block; throws nothing.
void write_output(std::string_view text);

// Writes what is still in C's buffer, as fflush(stdout) does, which would forget why it could not. False: some of what
// was printed so far is lost, and the end of the process will say so.
// Local; may block; throws nothing.
bool flush_output();

namespace detail {
// Before main(), so before anything opens a file.
bool watch_standard_output();

// For a process that ends without exit(), with `code`: writes what is left of the standard output, says it if something
// is lost, and returns the code that is right then.
int end_output(int code);
}  // namespace detail

}  // namespace tsubu
