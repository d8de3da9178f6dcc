#include "tsubu/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "tsubu/base/host_clock.hpp"

namespace tsubu {
namespace {

std::string reason() { return std::strerror(errno); }

bool begins_with(const std::string& file, std::string_view mark) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  std::string begin(mark.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in.gcount() == 0 || std::string_view(begin).substr(0, static_cast<std::size_t>(in.gcount())) == mark;
}

}  // namespace

std::optional<std::string> read_file(const std::string& file, std::string& why) {
  struct ::stat what{};
  if (::stat(file.c_str(), &what) != 0) {
    why = reason();
    return std::nullopt;
  }
  if (!S_ISREG(what.st_mode)) {
    why = S_ISDIR(what.st_mode) ? "it is a folder" : "it is not a regular file";
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();  // which fails, too, if there is nothing: but files of /proc have no size, and something
  if (in && !in.bad()) return std::move(text).str();
  why = reason();
  return std::nullopt;
}

written_file::written_file(target to) : to_(std::move(to)) { open(); }

void written_file::open() {
  struct ::stat there{};
  const bool exists = ::stat(to_.file.c_str(), &there) == 0;
  in_place_ = to_.file.starts_with("/dev/") || to_.file.starts_with("/proc/") ||
              (exists && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode));
  if (in_place_) {
    out_ = std::fopen(to_.file.c_str(), "w");
    if (out_ == nullptr) trouble_ = reason();
    return;
  }
  if (exists && S_ISDIR(there.st_mode)) {
    trouble_ = "it is a folder";
    return;
  }
  if (exists && !to_.force && !begins_with(to_.file, to_.mark)) {
    trouble_ = "there is another file, which this program has not written";
    return;
  }
  if (exists && ::access(to_.file.c_str(), W_OK) != 0) {
    trouble_ = reason();
    return;
  }
  std::error_code none;
  if (exists) to_.file = std::filesystem::canonical(to_.file, none).string();  // a link stays one
  const std::string folder = std::filesystem::path(to_.file).parent_path().string();
  // No other file has this name: what an older process of the same number has left behind has an older time.
  static std::atomic<unsigned> number{0};
  temporary_ = to_.file + "." + std::to_string(::getpid()) + "." + std::to_string(host_ns()) + "." +
               std::to_string(++number) + ".part";
  int file = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    file = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    is_named_ = file >= 0;
  }
  if (file < 0) {
    trouble_ = reason();
    return;
  }
  if (exists) static_cast<void>(::fchmod(file, there.st_mode & 07777));
  out_ = ::fdopen(file, "w");
}

bool written_file::take_place() {
  if (in_place_) return std::fflush(out_) == 0 && std::ferror(out_) == 0;
  if (std::fflush(out_) != 0 || std::ferror(out_) != 0) return false;
  if (!is_named_) {
    const std::string open_file = "/proc/self/fd/" + std::to_string(::fileno(out_));
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) return false;
    is_named_ = true;
  }
  if (std::rename(temporary_.c_str(), to_.file.c_str()) != 0) return false;
  is_named_ = false;
  return true;
}

bool written_file::finish() {
  if (out_ == nullptr) return false;
  errno = 0;
  if (!take_place()) trouble_ = errno != 0 ? reason() : "an error while writing";
  std::fclose(std::exchange(out_, nullptr));
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
