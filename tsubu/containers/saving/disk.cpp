#include "tsubu/containers/saving/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "tsubu/containers/files/error.hpp"

namespace tsubu::containers::disk {
namespace {

[[noreturn]] void refuse_by(const std::string& name, int error) {
  refuse(name, std::generic_category().message(error));
}

// One that blocks when it is opened, such as a pipe, would wait for ever: size() refuses it.
int flags_of(file::kind kind) {
  switch (kind) {
    case file::kind::new_to_write:
      return O_WRONLY | O_CREAT | O_EXCL;
    case file::kind::to_overwrite:
      return O_WRONLY | O_CREAT | O_TRUNC;
    case file::kind::to_write_into:
      return O_WRONLY | O_NONBLOCK;
    case file::kind::folder:
      return O_RDONLY | O_DIRECTORY;
    case file::kind::to_read:
      break;
  }
  return O_RDONLY | O_NONBLOCK;
}

}  // namespace

void refuse(const std::string& file, std::string_view why) { throw data_file_error(file + ": " + std::string(why)); }

file::file(std::string name, kind opened_as)
    : name_(std::move(name)), descriptor_(::open(name_.c_str(), flags_of(opened_as) | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) refuse_by(name_, errno);
}

file::~file() { ::close(descriptor_); }

std::uint64_t file::size() const {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) refuse_by(name_, errno);
  if (!S_ISREG(status.st_mode)) refuse(name_, "is no regular file");
  return static_cast<std::uint64_t>(status.st_size);
}

void file::read(void* to, std::size_t bytes) const {
  for (std::size_t got = 0; got < bytes;) {
    const ssize_t more = ::pread(descriptor_, static_cast<char*>(to) + got, bytes - got, static_cast<off_t>(got));
    if (more == 0) refuse(name_, "has become shorter while it was read");
    if (more < 0 && errno != EINTR) refuse_by(name_, errno);
    if (more > 0) got += static_cast<std::size_t>(more);
  }
}

void file::write(const void* from, std::size_t bytes) const {
  for (std::size_t put = 0; put < bytes;) {
    const ssize_t more = ::write(descriptor_, static_cast<const char*>(from) + put, bytes - put);
    if (more < 0 && errno != EINTR) refuse_by(name_, errno);
    if (more > 0) put += static_cast<std::size_t>(more);
  }
}

void file::write_at(std::uint64_t offset, const void* from, std::size_t bytes) const {
  for (std::size_t put = 0; put < bytes;) {
    const auto to = static_cast<off_t>(offset + put);
    const ssize_t more = ::pwrite(descriptor_, static_cast<const char*>(from) + put, bytes - put, to);
    if (more < 0 && errno != EINTR) refuse_by(name_, errno);
    if (more > 0) put += static_cast<std::size_t>(more);
  }
}

void file::sync() const {
  if (::fsync(descriptor_) != 0) refuse_by(name_, errno);
}

void rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) refuse_by(to, errno);
}

void sync_folder(const std::string& name) { file(name, file::kind::folder).sync(); }

}  // namespace tsubu::containers::disk
