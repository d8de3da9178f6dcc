// The lines of files, each on one PE.
//
//   auto text = co_await lines("logs/*.txt");             // by every PE
//   for (const std::string_view line : text) co_await words.insert(std::string(line));
//
// The bytes of all files together are cut into as many parts as there are PEs, and a line is the PE's in whose part it
// begins. A file that gzip or zstd has compressed is one PE's whole. A line is a view into a block that has been read:
// it is good until the next one is asked for.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/containers/files/line_reader.hpp"
#include "tsubu/containers/files/step_iterator.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// The lines that begin in this PE's part: an input range of std::string_view, which is walked once. A line ends with
// LF or CRLF, of which it has nothing, or with its file; a byte order mark in front of the first is left out.
// Local; a step to the next line may block while the disk reads; throws data_file_error of what cannot be read or
// uncompressed, of a line that is longer than it may be, and where a file is no longer as long as it was.
class text_lines {
 public:
  using iterator = containers::step_iterator<text_lines, std::string_view>;

  text_lines(std::vector<containers::file_piece> pieces, std::size_t longest_line)
      : lines_(std::move(pieces), longest_line) {}

  // Once.
  iterator begin() {
    step();
    return iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

  // Where the walk is, for a message: "towns.txt:1042:7". The file is read up to there to count its lines.
  std::string place(std::size_t column = 1) const { return lines_.place(column); }

 private:
  friend iterator;
  using found = containers::line_reader::found;

  std::string_view current() const { return lines_.line(); }
  bool ended() const { return ended_; }
  void step() {
    const found next = lines_.next();
    if (next != found::line) end_with(next);
  }
  void end_with(found last);

  containers::line_reader lines_;
  bool ended_ = false;
};

// The lines of a file, or of all files that match a pattern as the shell's (*, ?, [a-z]), in the order of their names.
// Every PE has to see the files, as they are, until they have been read. A line may have `longest_line` bytes before
// its line feed: so much memory one takes, and not more.
// Collective; blocks until PE 0 has looked for them; throws data_file_error, on every PE, of a name without a file,
// and of what is no regular file.
task<text_lines> lines(std::vector<std::string> patterns,
                       std::size_t longest_line = containers::default_longest_record);
template <std::convertible_to<std::string> Pattern>
task<text_lines> lines(Pattern pattern, std::size_t longest_line = containers::default_longest_record) {
  return lines(std::vector<std::string>(1, std::string(std::move(pattern))), longest_line);
}

}  // namespace tsubu
