// The pieces of files that a PE has, one after the other, a block at a time: what is still to be walked lies in one
// piece in memory, however long it gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/containers/files/byte_source.hpp"
#include "tsubu/containers/files/file_list.hpp"

namespace tsubu::containers {

// How many bytes a line or a row may have unless its reader is told otherwise: so a quote without an end, or a file
// without a line's end, does not fill the memory.
inline constexpr std::size_t default_longest_record = std::size_t{64} << 20;

// What some programs write in front of a text in UTF-8.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Local; more() and open_next() may block while the disk reads; what reads throws data_file_error.
class piece_reader {
 public:
  // So many bytes behind what has been read may be read, too, whatever they are: who looks at many bytes at once does
  // so.
  static constexpr std::size_t readable_behind = 64;

  explicit piece_reader(std::vector<file_piece> pieces);

  // The next piece, from so many bytes before its begin on. False: that was the last one.
  bool open_next(std::uint64_t before_begin = 0);
  // The one that is open, or was last.
  const file_piece& piece() const { return pieces_[opened_ - 1]; }
  // The first piece that has not been opened; null: there is none.
  const file_piece* next_piece() const { return opened_ < pieces_.size() ? &pieces_[opened_] : nullptr; }

  // What has been read and not been taken, which is good until the next more().
  const char* data() const { return block_.data() + at_; }
  std::size_t size() const { return filled_ - at_; }
  void take(std::size_t n) { at_ += n; }
  // Reads behind what is there. False at the end of the file.
  bool more();

  // Takes a byte order mark, which belongs to no line. At a file's begin; the pieces of a file leave it whole.
  void take_byte_order_mark();

  // Where the first byte that has not been taken stands in its file.
  std::uint64_t offset() const { return block_begins_ + at_; }
  // Whether that is behind the piece. Where a packed file ends is only known when more() has been false.
  bool behind_piece() const { return offset() >= piece_ends_; }

  // For a message, "towns.txt:1042:7": a line is where that many line feeds stand before it. The file is read up to
  // there to count them.
  std::string place(std::uint64_t offset, std::size_t column) const;

 private:
  // block_[0] is byte block_begins_ of the file, and block_[at_ .. filled_) is to be taken; readable_behind bytes stay
  // free behind it.
  std::vector<char> block_;
  std::size_t at_ = 0, filled_ = 0;
  std::uint64_t block_begins_ = 0, piece_ends_ = 0;
  std::vector<file_piece> pieces_;
  std::size_t opened_ = 0;
  std::unique_ptr<byte_source> source_;
};

}  // namespace tsubu::containers
