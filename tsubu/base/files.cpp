#include "tsubu/base/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "tsubu/base/host_clock.hpp"

namespace tsubu {
namespace {

std::string reason() { return std::strerror(errno); }

// What stands there is no name to go on from: /dev/fd/3 and /dev/stdout are links whose text is no path.
bool is_of_the_system(std::string_view file) { return file.starts_with("/dev/") || file.starts_with("/proc/"); }

class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// Up to `bytes` more of it. 0: the end; below: an error, in errno.
ssize_t read_some(int from, char* to, std::size_t bytes) {
  for (;;) {
    const ssize_t got = ::read(from, to, bytes);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
    pollfd until_there_is_some{.fd = from, .events = POLLIN, .revents = 0};
    if (errno == EAGAIN) ::poll(&until_there_is_some, 1, -1);
  }
}

bool begins_with(const std::string& file, std::string_view mark) {
  const descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.number() < 0) return false;
  std::string begin(mark.size(), '\0');
  std::size_t known = 0;
  while (known < begin.size()) {
    const ssize_t got = read_some(in.number(), begin.data() + known, begin.size() - known);
    if (got < 0) return false;
    if (got == 0) break;
    known += static_cast<std::size_t>(got);
  }
  return mark.starts_with(begin.substr(0, known));
}

}  // namespace

std::string end_of_links(std::string file) {
  namespace fs = std::filesystem;
  std::error_code none;
  for (int links = 0; links < 40 && !is_of_the_system(file) && fs::is_symlink(file, none); ++links) {
    const fs::path to = fs::read_symlink(file, none);
    if (none) break;
    file = (to.is_absolute() ? to : fs::path(file).parent_path() / to).string();
  }
  return file;
}

std::optional<std::string> read_to_end(int from, std::string& why) {
  constexpr std::size_t at_a_time = 65536;
  std::string text;
  for (std::size_t known = 0;; text.resize(known)) {
    text.resize(known + std::max(at_a_time, known / 2));
    const ssize_t got = read_some(from, text.data() + known, text.size() - known);
    if (got < 0) {
      why = reason();
      return std::nullopt;
    }
    known += static_cast<std::size_t>(got);
    if (got == 0) {
      text.resize(known);
      return text;
    }
  }
}

std::optional<std::string> read_file(const std::string& file, std::string& why) {
  // A pipe that nobody writes into is not waited for.
  const descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct ::stat what{};
  if (in.number() < 0 || ::fstat(in.number(), &what) != 0) {
    why = reason();
    return std::nullopt;
  }
  if (!S_ISREG(what.st_mode)) {
    why = S_ISDIR(what.st_mode) ? "it is a folder" : "it is not a regular file";
    return std::nullopt;
  }
  return read_to_end(in.number(), why);
}

written_file::written_file(target to) : to_(std::move(to)) { open(); }

void written_file::open() {
  to_.file = end_of_links(to_.file);
  struct ::stat there{};
  const bool exists = ::stat(to_.file.c_str(), &there) == 0;
  in_place_ = is_of_the_system(to_.file) || (exists && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode));
  if (in_place_) {
    out_ = std::fopen(to_.file.c_str(), "we");
    if (out_ == nullptr) trouble_ = reason();
    return;
  }
  if (exists && S_ISDIR(there.st_mode)) {
    trouble_ = "it is a folder";
  } else if (exists && !to_.force && !begins_with(to_.file, to_.mark)) {
    trouble_ = "there is another file, which this program has not written";
  } else if (exists && ::access(to_.file.c_str(), W_OK) != 0) {
    trouble_ = reason();
  } else {
    copied_ = exists && there.st_nlink > 1;
    open_beside(exists);
  }
}

void written_file::open_beside(bool exists) {
  const std::string folder = std::filesystem::path(to_.file).parent_path().string();
  // No other file has this name: what an older process of the same number has left behind has an older time.
  static std::atomic<unsigned> number{0};
  temporary_ = to_.file + "." + std::to_string(::getpid()) + "." + std::to_string(host_ns()) + "." +
               std::to_string(++number) + ".part";
  int file = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    file = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    is_named_ = file >= 0;
  }
  if (file < 0) {
    trouble_ = reason();
    return;
  }
  struct ::stat there{}, fresh{};
  if (exists && ::stat(to_.file.c_str(), &there) == 0 && ::fstat(file, &fresh) == 0) {
    const bool same = there.st_uid == fresh.st_uid && there.st_gid == fresh.st_gid;
    if (!same && ::fchown(file, there.st_uid, there.st_gid) != 0) copied_ = true;
    if (::fchmod(file, there.st_mode & 07777) != 0) copied_ = true;
  }
  out_ = ::fdopen(file, "w+");
}

bool written_file::close() { return std::fclose(std::exchange(out_, nullptr)) == 0; }

// The room is taken first, so that a disk that is full leaves the file as it was.
bool written_file::copy_into_place() {
  const descriptor to(::open(to_.file.c_str(), O_WRONLY | O_CLOEXEC));
  const off_t size = std::ftell(out_);
  if (to.number() < 0 || size < 0) return false;
  struct ::stat before{};
  if (::fstat(to.number(), &before) != 0) return false;
  if (const int error = size == 0 ? 0 : ::posix_fallocate(to.number(), 0, size); error != 0) {
    static_cast<void>(::ftruncate(to.number(), before.st_size));  // some systems take what room there is
    errno = error;
    return false;
  }
  std::rewind(out_);
  std::vector<char> some(65536);
  for (off_t at = 0; at < size;) {
    const ssize_t got = ::pread(::fileno(out_), some.data(), some.size(), at);
    if (got <= 0 || ::pwrite(to.number(), some.data(), static_cast<std::size_t>(got), at) != got) return false;
    at += got;
  }
  return ::ftruncate(to.number(), size) == 0;
}

bool written_file::take_place() {
  if (std::fflush(out_) != 0 || std::ferror(out_) != 0) return false;
  if (in_place_) return close();
  if (copied_) return copy_into_place() && close();
  if (!is_named_) {
    const std::string open_file = "/proc/self/fd/" + std::to_string(::fileno(out_));
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) return false;
    is_named_ = true;
  }
  if (!close() || std::rename(temporary_.c_str(), to_.file.c_str()) != 0) return false;
  is_named_ = false;
  return true;
}

bool written_file::finish() {
  if (out_ == nullptr) return false;
  errno = 0;
  if (!take_place()) trouble_ = errno != 0 ? reason() : "an error while writing";
  if (out_ != nullptr) std::fclose(std::exchange(out_, nullptr));
  return trouble_.empty();
}

written_file::~written_file() {
  if (out_ != nullptr) std::fclose(out_);
  if (is_named_) ::unlink(temporary_.c_str());
}

std::string write_file(const written_file::target& to, std::string_view text) {
  written_file out(to);
  if (out.stream() != nullptr) {
    std::fwrite(text.data(), 1, text.size(), out.stream());
    out.finish();
  }
  return out.trouble();
}

}  // namespace tsubu
