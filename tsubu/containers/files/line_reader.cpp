#include "tsubu/containers/files/line_reader.hpp"

namespace tsubu::containers {

// A line begins at the piece's first byte only if the byte before it ends one: what has begun before is left out.
bool line_reader::open_next() {
  const file_piece* const next = reader_.next_piece();
  const bool may_have_begun = next != nullptr && next->begin > 0;
  if (!reader_.open_next(may_have_begun ? 1 : 0)) return false;
  if (may_have_begun) {
    skip_line();
  } else {
    reader_.take_byte_order_mark();
  }
  return true;
}

// Not beyond the piece: no other line of this one begins there.
void line_reader::skip_line() {
  while (!reader_.behind_piece() && (reader_.size() > 0 || reader_.more())) {
    const void* const newline = std::memchr(reader_.data(), '\n', reader_.size());
    if (newline != nullptr)
      return reader_.take(static_cast<std::size_t>(static_cast<const char*>(newline) - reader_.data()) + 1);
    reader_.take(reader_.size());
  }
}

// The next line is not wholly in the block, or not in this piece.
line_reader::found line_reader::next_over_block() {
  for (std::size_t searched = 0;;) {
    while (reader_.behind_piece()) {
      if (open_next()) continue;
      line_ = {};
      return found::end;
    }
    const char* const from = reader_.data();
    const std::size_t there = reader_.size();
    const void* const newline = there > searched ? std::memchr(from + searched, '\n', there - searched) : nullptr;
    if (newline != nullptr) return take(static_cast<std::size_t>(static_cast<const char*>(newline) - from), 1);
    searched = there;
    line_begins_ = reader_.offset();
    if (there > longest_) return found::longer_line;
    if (!reader_.more() && there > 0) return take(there, 0);
  }
}

}  // namespace tsubu::containers
