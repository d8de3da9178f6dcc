// The lines that begin in the pieces of files that a PE has: what lines() and ndjson() walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/containers/files/piece_reader.hpp"

namespace tsubu::containers {

// Local; next() and skip_line() may block while the disk reads; they throw data_file_error of what cannot be read or
// uncompressed, and where a file is no longer as long as it was.
class line_reader {
 public:
  enum class found : std::uint8_t { line, longer_line, end };

  line_reader(std::vector<file_piece> pieces, std::size_t longest_line)
      : reader_(std::move(pieces)), longest_(longest_line) {}

  // A line that is longer than it may be is neither kept nor taken.
  found next() {
    const void* const newline =
        reader_.size() > 0 && !reader_.behind_piece() ? std::memchr(reader_.data(), '\n', reader_.size()) : nullptr;
    if (newline == nullptr) return next_over_block();
    return take(static_cast<std::size_t>(static_cast<const char*>(newline) - reader_.data()), 1);
  }
  // Without LF or CRLF; good until the next one is asked for. Behind it piece_reader::readable_behind bytes may be
  // read.
  std::string_view line() const { return line_; }
  // Takes what is left of the line that has begun.
  void skip_line();

  std::size_t longest() const { return longest_; }
  // A column of the line that is now, for a message: "towns.txt:1042:7". The file is read up to there.
  std::string place(std::size_t column) const { return reader_.place(line_begins_, column); }

 private:
  // The line has `length` bytes, and `ending` behind them.
  found take(std::size_t length, std::size_t ending) {
    line_begins_ = reader_.offset();
    if (length > longest_) return found::longer_line;
    line_ = std::string_view(reader_.data(), length);
    if (ending > 0 && line_.ends_with('\r')) line_.remove_suffix(1);
    reader_.take(length + ending);
    return found::line;
  }
  found next_over_block();
  bool open_next();

  piece_reader reader_;
  std::size_t longest_;
  std::uint64_t line_begins_ = 0;
  std::string_view line_;
};

}  // namespace tsubu::containers
