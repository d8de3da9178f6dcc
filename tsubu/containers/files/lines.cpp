#include "tsubu/containers/files/lines.hpp"

#include <algorithm>
#include <limits>

#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {
namespace {

// Large enough that a read's own cost is not seen, small enough to stay in a core's cache.
constexpr std::size_t block_bytes = std::size_t{256} << 10;

}  // namespace

text_lines::text_lines(std::vector<containers::file_piece> pieces) : pieces_(std::move(pieces)) {}

bool text_lines::open_next() {
  if (opened_ == pieces_.size()) return false;
  const containers::file_piece& piece = pieces_[opened_++];
  const bool may_have_begun = piece.begin > 0;
  block_begins_ = piece.begin - (may_have_begun ? 1 : 0);
  source_ = containers::open_bytes(piece, block_begins_);
  at_ = filled_ = 0;
  const bool is_packed = piece.packed_by != containers::compression::none;
  piece_ends_ = is_packed ? std::numeric_limits<std::uint64_t>::max() : piece.end;
  if (may_have_begun) skip_begun_line();
  return true;
}

// A line begins at the piece's first byte only if the byte before it ends one.
void text_lines::skip_begun_line() {
  while (block_begins_ + at_ < piece_ends_ && read_more()) {
    const char* const begin = block_.data();
    const char* const newline = std::find(begin + at_, begin + filled_, '\n');
    at_ = static_cast<std::size_t>(newline - begin);
    if (at_ == filled_) continue;
    ++at_;
    return;
  }
}

// Reads behind what is there, and keeps what has not been walked. False at the end of the file.
bool text_lines::read_more() {
  if (at_ > 0) std::memmove(block_.data(), block_.data() + at_, filled_ - at_);
  block_begins_ += at_;
  filled_ -= at_;
  at_ = 0;
  if (filled_ == block_.size()) block_.resize(std::max(block_bytes, 2 * filled_));
  const std::size_t n = source_->read(block_.data() + filled_, block_.size() - filled_);
  filled_ += n;
  return n > 0;
}

// The next line is not wholly in the block, or not in this piece.
void text_lines::step_over_block() {
  for (std::size_t searched = 0;;) {
    while (block_begins_ + at_ >= piece_ends_) {
      if (open_next()) continue;
      source_.reset();
      line_ = {};
      ended_ = true;
      return;
    }
    const char* const from = block_.data() + at_;
    const std::size_t there = filled_ - at_;
    const void* const newline = there > searched ? std::memchr(from + searched, '\n', there - searched) : nullptr;
    if (newline != nullptr) return take(static_cast<std::size_t>(static_cast<const char*>(newline) - from), 1);
    searched = there;
    if (read_more()) continue;
    if (there > 0) return take(there, 0);
    // Where a packed file ends is only known now.
    piece_ends_ = block_begins_ + at_;
  }
}

std::string text_lines::place(std::size_t column) const {
  if (opened_ == 0) return {};
  const containers::file_piece& piece = pieces_[opened_ - 1];
  const std::unique_ptr<containers::byte_source> file = containers::open_bytes(piece, 0);
  std::vector<char> block(block_bytes);
  std::uint64_t line = 1;
  for (std::uint64_t at = 0; at < line_begins_;) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), line_begins_ - at));
    const std::size_t got = file->read(block.data(), n);
    if (got == 0) break;
    line += static_cast<std::uint64_t>(std::count(block.data(), block.data() + got, '\n'));
    at += got;
  }
  return piece.name + ':' + std::to_string(line) + ':' + std::to_string(column);
}

task<text_lines> lines(std::vector<std::string> patterns) {
  // PE 0 looks for all, so that all cut the same files; what it cannot find is an error of every PE, and none waits.
  std::vector<containers::listed_file> files;
  std::string error;
  if (this_pe() == 0) {
    try {
      files = containers::list_files(patterns);
    } catch (const data_file_error& wrong) {
      error = wrong.what();
    }
  }
  error = co_await broadcast(std::move(error));
  if (!error.empty()) throw data_file_error(error);
  files = co_await broadcast(std::move(files));
  std::uint64_t bytes = 0;
  for (const containers::listed_file& file : files) bytes += file.size;
  co_return text_lines(containers::pieces_of(files, part_of(bytes)));
}

}  // namespace tsubu
