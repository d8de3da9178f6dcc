#include "tsubu/containers/files/piece_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace tsubu::containers {
namespace {

// Large enough that a read's own cost is not seen, small enough to stay in a core's cache.
constexpr std::size_t block_bytes = std::size_t{256} << 10;

}  // namespace

piece_reader::piece_reader(std::vector<file_piece> pieces) : pieces_(std::move(pieces)) {}

bool piece_reader::open_next(std::uint64_t before_begin) {
  if (opened_ == pieces_.size()) {
    source_.reset();
    return false;
  }
  const file_piece& next = pieces_[opened_++];
  block_begins_ = next.begin - before_begin;
  source_ = open_bytes(next, block_begins_);
  at_ = filled_ = 0;
  piece_ends_ = next.packed_by != compression::none ? std::numeric_limits<std::uint64_t>::max() : next.end;
  return true;
}

bool piece_reader::more() {
  if (at_ > 0) std::memmove(block_.data(), block_.data() + at_, filled_ - at_);
  block_begins_ += at_;
  filled_ -= at_;
  at_ = 0;
  if (filled_ + readable_behind >= block_.size()) block_.resize(std::max(block_bytes, 2 * filled_) + readable_behind);
  const std::size_t n = source_->read(block_.data() + filled_, block_.size() - readable_behind - filled_);
  filled_ += n;
  if (n == 0) piece_ends_ = std::min(piece_ends_, block_begins_ + filled_);
  return n > 0;
}

void piece_reader::take_byte_order_mark() {
  while (size() < byte_order_mark.size() && more()) {
  }
  if (std::string_view(data(), size()).starts_with(byte_order_mark)) take(byte_order_mark.size());
}

std::string piece_reader::place(std::uint64_t offset, std::size_t column) const {
  if (opened_ == 0) return {};
  const std::unique_ptr<byte_source> file = open_bytes(piece(), 0);
  std::vector<char> block(block_bytes);
  std::uint64_t line = 1;
  for (std::uint64_t at = 0; at < offset;) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), offset - at));
    const std::size_t got = file->read(block.data(), n);
    if (got == 0) break;
    line += static_cast<std::uint64_t>(std::count(block.data(), block.data() + got, '\n'));
    at += got;
  }
  return piece().name + ':' + std::to_string(line) + ':' + std::to_string(column);
}

}  // namespace tsubu::containers
