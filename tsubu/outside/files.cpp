#include "tsubu/outside/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "tsubu/base/files.hpp"
#include "tsubu/outside/offload.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::outside {

struct file::opened {
  opened(int number, std::string named, pe_id of) : descriptor(number), name(std::move(named)), pe(of) {}
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;
  ~opened() { ::close(descriptor); }

  [[noreturn]] void cannot(const char* what) const { throw error({errno, std::system_category()}, what + name, pe); }

  const int descriptor;
  const std::string name;
  const pe_id pe;
};

namespace {

// What has no number of the system's: its words stand in front.
[[noreturn]] void cannot(const std::string& doing, const std::string& why, pe_id pe) {
  throw error(std::make_error_code(std::errc::io_error), doing + ": " + why, pe);
}

std::string read_whole(const std::string& name, pe_id pe) {
  std::string why;
  std::optional<std::string> text = tsubu::read_file(name, why);
  if (!text) cannot("reading " + name, why, pe);
  return std::move(*text);
}

void write_whole(const std::string& name, const std::string& bytes, pe_id pe) {
  const std::string why = tsubu::write_file({.file = name, .mark = "", .force = true}, bytes);
  if (!why.empty()) cannot("writing " + name, why, pe);
}

}  // namespace

future<std::string> read_file(std::string name) {
  return offload([name = std::move(name), pe = this_pe()] { return read_whole(name, pe); });
}

future<void> write_file(std::string name, std::string bytes) {
  return offload(
      [name = std::move(name), bytes = std::move(bytes), pe = this_pe()] { return write_whole(name, bytes, pe); });
}

future<file> file::open(std::string name, use how) {
  return offload([name = std::move(name), how, pe = this_pe()] {
    // To open a pipe that nobody writes into would wait for ever; of a regular file O_NONBLOCK means nothing.
    const int flags = (how == use::read ? O_RDONLY : O_RDWR) | (how == use::create ? O_CREAT : 0);
    const int descriptor = ::open(name.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666);
    if (descriptor < 0) throw error({errno, std::system_category()}, "opening " + name, pe);
    const auto made = std::make_shared<const opened>(descriptor, name, pe);
    struct stat is{};
    if (::fstat(descriptor, &is) != 0) made->cannot("opening ");
    if (!S_ISREG(is.st_mode)) cannot("opening " + name, "it is no regular file", pe);
    return file(made);
  });
}

future<std::string> file::read_at(std::uint64_t offset, std::size_t bytes) const {
  return offload([of = opened_, offset, bytes] {
    struct stat is{};
    if (::fstat(of->descriptor, &is) != 0) of->cannot("reading ");
    const auto size = static_cast<std::uint64_t>(is.st_size);
    // No more memory than there is to read, whatever is asked for.
    std::string came(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, size - std::min(size, offset))), '\0');
    std::size_t have = 0;
    while (have < came.size()) {
      const ssize_t got =
          ::pread(of->descriptor, came.data() + have, came.size() - have, static_cast<off_t>(offset + have));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) of->cannot("reading ");
      if (got == 0) break;
      have += static_cast<std::size_t>(got);
    }
    came.resize(have);
    return came;
  });
}

future<void> file::write_at(std::uint64_t offset, std::string bytes) const {
  return offload([of = opened_, offset, bytes = std::move(bytes)] {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t put =
          ::pwrite(of->descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) of->cannot("writing ");
      done += static_cast<std::size_t>(put);
    }
  });
}

future<std::uint64_t> file::size() const {
  return offload([of = opened_] {
    struct stat is{};
    if (::fstat(of->descriptor, &is) != 0) of->cannot("asking for the size of ");
    return static_cast<std::uint64_t>(is.st_size);
  });
}

}  // namespace tsubu::outside
