// The standard input, awaited:
//
//   while (const std::optional<std::string> line = co_await outside::read_line()) ...
//
// It may be a terminal, a pipe or a file. It is the process's: the PE that reads first has it until the job ends, and
// another PE of the process that asks for it gets an error (std::errc::device_or_resource_busy). Under mpirun it is
// that of rank 0: PEs of other ranks find it at its end at once, whatever the launcher has given them. One that the
// program itself has put in its place is read on any rank.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tsubu/outside/error.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::outside {

// The next line without its end; nothing at the end of the input. The last line need not have an end. Throws error
// (std::errc::message_size) when a line has more than `most` bytes. One task at a time.
// Local; blocks until the line is there; throws error, also on a second PE of the process.
task<std::optional<std::string>> read_line(std::size_t most = 1 << 20);

}  // namespace tsubu::outside
