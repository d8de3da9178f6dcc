#include "tsubu/containers/files/lines.hpp"

namespace tsubu {

// A line begins at the piece's first byte only if the byte before it ends one: what has begun before is left out.
bool text_lines::open_next() {
  const containers::file_piece* const next = reader_.next_piece();
  const bool may_have_begun = next != nullptr && next->begin > 0;
  if (!reader_.open_next(may_have_begun ? 1 : 0)) return false;
  if (!may_have_begun) reader_.take_byte_order_mark();
  while (may_have_begun && !reader_.behind_piece() && reader_.more()) {
    const void* const newline = std::memchr(reader_.data(), '\n', reader_.size());
    if (newline != nullptr) {
      reader_.take(static_cast<std::size_t>(static_cast<const char*>(newline) - reader_.data()) + 1);
      break;
    }
    reader_.take(reader_.size());
  }
  return true;
}

// The next line is not wholly in the block, or not in this piece.
void text_lines::step_over_block() {
  for (std::size_t searched = 0;;) {
    while (reader_.behind_piece()) {
      if (open_next()) continue;
      line_ = {};
      ended_ = true;
      return;
    }
    const char* const from = reader_.data();
    const std::size_t there = reader_.size();
    const void* const newline = there > searched ? std::memchr(from + searched, '\n', there - searched) : nullptr;
    if (newline != nullptr) return take(static_cast<std::size_t>(static_cast<const char*>(newline) - from), 1);
    searched = there;
    line_begins_ = reader_.offset();
    if (there > longest_) refuse_longer();
    if (!reader_.more() && there > 0) return take(there, 0);
  }
}

void text_lines::refuse_longer() const {
  throw data_file_error(place() + ": the line is longer than " + std::to_string(longest_) + " bytes");
}

task<text_lines> lines(std::vector<std::string> patterns, std::size_t longest_line) {
  co_return text_lines(co_await containers::pieces_of_this_pe(std::move(patterns)), longest_line);
}

}  // namespace tsubu
