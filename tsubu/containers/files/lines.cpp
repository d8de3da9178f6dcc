#include "tsubu/containers/files/lines.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {
namespace {

// Large enough that a read's own cost is not seen, small enough to stay in a core's cache.
constexpr std::size_t block_bytes = std::size_t{256} << 10;

[[noreturn]] void refuse(const std::string& name, int error) {
  throw data_file_error(name + ": " + std::generic_category().message(error));
}

[[noreturn]] void refuse_changed(const std::string& name) {
  throw data_file_error(name + ": its length has changed since the job began to read it");
}

std::shared_ptr<std::FILE> open_to_read(const std::string& name) {
  std::FILE* const opened = std::fopen(name.c_str(), "rbe");
  if (opened == nullptr) refuse(name, errno);
  return {opened, [](std::FILE* file) { std::fclose(file); }};
}

// At least one byte and at most n, from that offset: there are some.
std::size_t read_at(std::FILE& file, const std::string& name, std::uint64_t offset, char* to, std::size_t n) {
  for (;;) {
    const ssize_t got = ::pread(::fileno(&file), to, n, static_cast<off_t>(offset));
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0) refuse_changed(name);
    if (errno != EINTR) refuse(name, errno);
  }
}

}  // namespace

text_lines::text_lines(std::vector<containers::file_piece> pieces) : pieces_(std::move(pieces)) {}

bool text_lines::open_next() {
  if (opened_ == pieces_.size()) return false;
  const containers::file_piece& piece = pieces_[opened_++];
  file_ = open_to_read(piece.name);
  struct stat status{};
  if (::fstat(::fileno(file_.get()), &status) != 0) refuse(piece.name, errno);
  if (static_cast<std::uint64_t>(status.st_size) != piece.size) refuse_changed(piece.name);
  at_ = filled_ = 0;
  piece_ends_ = piece.end;
  block_begins_ = piece.begin;
  if (piece.begin > 0) skip_begun_line();
  return true;
}

// A line begins at the piece's first byte only if the byte before it ends one.
void text_lines::skip_begun_line() {
  --block_begins_;
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
  const containers::file_piece& piece = pieces_[opened_ - 1];
  const std::uint64_t read = block_begins_ + filled_;
  if (read == piece.size) return false;
  if (at_ > 0) std::memmove(block_.data(), block_.data() + at_, filled_ - at_);
  block_begins_ += at_;
  filled_ -= at_;
  at_ = 0;
  if (filled_ == block_.size()) block_.resize(std::max(block_bytes, 2 * filled_));
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(block_.size() - filled_, piece.size - read));
  filled_ += read_at(*file_, piece.name, read, block_.data() + filled_, n);
  return true;
}

// The next line is not wholly in the block, or not in this piece.
void text_lines::step_over_block() {
  while (block_begins_ + at_ >= piece_ends_) {
    if (open_next()) continue;
    file_.reset();
    line_ = {};
    ended_ = true;
    return;
  }
  for (std::size_t searched = 0;;) {
    const char* const from = block_.data() + at_;
    const std::size_t there = filled_ - at_;
    const void* const newline = there > searched ? std::memchr(from + searched, '\n', there - searched) : nullptr;
    if (newline != nullptr) return take(static_cast<std::size_t>(static_cast<const char*>(newline) - from), 1);
    searched = there;
    if (!read_more()) return take(there, 0);
  }
}

std::string text_lines::place(std::size_t column) const {
  if (opened_ == 0) return {};
  const containers::file_piece& piece = pieces_[opened_ - 1];
  const auto file = open_to_read(piece.name);
  std::vector<char> block(block_bytes);
  std::uint64_t line = 1;
  for (std::uint64_t at = 0; at < line_begins_;) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), line_begins_ - at));
    const std::size_t got = read_at(*file, piece.name, at, block.data(), n);
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
  for (const containers::listed_file& file : files) bytes += file.second;
  co_return text_lines(containers::pieces_of(files, part_of(bytes)));
}

}  // namespace tsubu
