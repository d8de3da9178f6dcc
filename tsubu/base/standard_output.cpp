#include "tsubu/base/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "tsubu/base/printable.hpp"

namespace tsubu {
namespace {

constexpr int unknown_error = -1;

// The first error; 0: none so far. Constant-initialised, for it is read when the process ends.
constinit std::atomic<int> lost{0};

void note(int error) {
  int none = 0;
  lost.compare_exchange_strong(none, error != 0 ? error : unknown_error);
}

// It does not wait for a thread that is in the midst of printing: at the end of the process that may never go on.
void flush_stdout() {
  if (::ftrylockfile(stdout) != 0) return;
  errno = 0;
  if (std::fflush(stdout) != 0) note(errno);
  if (std::ferror(stdout) != 0) note(unknown_error);
  ::funlockfile(stdout);
}

// The same buffer, unless the program has said std::ios::sync_with_stdio(false).
void flush_cout() {
  errno = 0;
  if (std::cout.rdbuf() != nullptr && std::cout.rdbuf()->pubsync() != 0) note(errno);
  if (std::cout.bad()) note(unknown_error);
}

// Some file systems, NFS among them, tell of an error only when a descriptor is closed; a copy's will do.
void close_copy() {
  const int copy = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0 && ::close(copy) != 0) note(errno);
}

// False: some of it is lost, and a line has said so.
bool write_what_is_left() {
  flush_cout();
  flush_stdout();
  close_copy();
  const int error = lost.load();
  if (error == 0) return true;
  const std::string line =
      one_line(std::string(program_invocation_short_name) + ": the standard output cannot be written" +
               (error == unknown_error ? "" : std::string(": ") + std::strerror(error))) +
      '\n';
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, line.data(), line.size());
  return false;
}

void look_at_end(int code, void*) {
  if (write_what_is_left() || code != 0) return;
  std::fflush(nullptr);  // the program's other files
  ::_exit(exit_code::lost_output);
}

}  // namespace

bool detail::watch_standard_output() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The least number that is free is this one. What is opened the wrong way round fails as what is closed does.
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
  ::on_exit(look_at_end, nullptr);
  return true;
}

int detail::end_output(int code) { return write_what_is_left() || code != 0 ? code : exit_code::lost_output; }

void write_output(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note(errno);
}

bool flush_output() {
  flush_stdout();
  return lost.load() == 0;
}

}  // namespace tsubu
