#include "tsubu/message/spill_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tsubu/base/check.hpp"

namespace tsubu::message {
namespace {

std::string folder() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

}  // namespace

void spill_file::refused(const char* to_do) const {
  fail(std::string(what_) + " cannot be " + to_do + " a file in " + folder() + ": " + std::strerror(errno) +
       "; TMPDIR names another place");
}

spill_file::~spill_file() {
  if (file_ >= 0) ::close(file_);
}

void spill_file::open() {
  std::string name = folder() + "/tsubu-spill-XXXXXX";
  file_ = ::mkstemp(name.data());
  if (file_ < 0) refused("written to");
  ::unlink(name.c_str());
}

spill_file::place spill_file::write(std::span<const std::byte> bytes) {
  if (file_ < 0) open();
  place at;
  do {
    if (free_.empty()) free_.push_back(slots_++);
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    at.push_back(slot);
    std::span<const std::byte> left = bytes.first(std::min(bytes.size(), slot_bytes_));
    bytes = bytes.subspan(left.size());
    for (auto offset = static_cast<off_t>(slot * std::uint64_t{slot_bytes_}); !left.empty();) {
      const ssize_t done = ::pwrite(file_, left.data(), left.size(), offset);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) refused("written to");
      offset += done;
      left = left.subspan(static_cast<std::size_t>(done));
    }
  } while (!bytes.empty());
  return at;
}

void spill_file::read(const place& from, std::span<std::byte> to) const {
  for (const std::uint32_t slot : from) {
    std::span<std::byte> left = to.first(std::min(to.size(), slot_bytes_));
    to = to.subspan(left.size());
    for (auto offset = static_cast<off_t>(slot * std::uint64_t{slot_bytes_}); !left.empty();) {
      const ssize_t done = ::pread(file_, left.data(), left.size(), offset);
      if (done < 0 && errno == EINTR) continue;
      if (done == 0) errno = EIO;
      if (done <= 0) refused("read from");
      offset += done;
      left = left.subspan(static_cast<std::size_t>(done));
    }
  }
}

void spill_file::give_free(const place& from) { free_.insert(free_.end(), from.begin(), from.end()); }

void spill_file::take(const place& from, std::span<std::byte> to) {
  read(from, to);
  give_free(from);
}

}  // namespace tsubu::message
