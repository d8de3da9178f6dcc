// The lines that all PEs have, as text files: one of each PE, and a list of them.
//
//   co_await write_lines("found", mine);                   // by every PE: a range of what it has, or a container
//   auto text = co_await lines("found");                   // in this job or another one, on any number of PEs
#pragma once

#include <concepts>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

#include "tsubu/containers/files/written_folder.hpp"

namespace tsubu {

namespace containers {

struct line_format {
  static constexpr std::string_view type() { return "lines"; }
  static void begin(part_writer&) {}
  // Throws data_file_error of what a reader would not find again.
  static void put(part_writer& to, std::string_view line);
};

}  // namespace containers

// Writes each PE's texts as lines, each with a line feed behind it, into a part file of its own, in a folder that every
// PE sees: `found/parts.1/0.3.txt` is PE 3's, and `found/list` tells of all. They take the place of what was written
// into that folder before, when all are on the disk. Of a container, after quiescence().
// Collective; blocks until all is on the disk; throws data_file_error, on every PE, if the disk is full, for example,
// or a text has a line feed in it: then the folder has what it had.
template <class Lines>
task<void> write_lines(std::string folder, Lines&& lines,
                       std::source_location where = std::source_location::current()) {
  return containers::write_what(std::move(folder), std::forward<Lines>(lines), containers::line_format(), where);
}

}  // namespace tsubu
