#include "tsubu/command/forwarded_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/leftovers.hpp"
#include "tsubu/base/standard_output.hpp"

namespace tsubu::command {
namespace {

[[noreturn]] void refuse(const std::string& what, int error) {
  end_job(exit_code::unavailable, fmt::format("tsubu: {} cannot be started: {}", what, std::strerror(error)));
}

// In the terminal's group, so that it may read from there.
pid_t start(const std::vector<std::string>& words, int output, const held_signals& held) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawnattr_init(&how);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
  ::posix_spawnattr_setsigmask(&how, &held.before());
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, argv[0], &files, &how, argv.data(), environ);
  ::posix_spawnattr_destroy(&how);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) refuse(words[0], error);
  return process;
}

// Until the process has ended and nothing is left: what it has started may keep the pipe open for longer.
void forward(int from, int process_handle) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  std::array<char, 65536> some;
  for (;;) {
    std::array<pollfd, 2> waits{pollfd{from, POLLIN, 0}, pollfd{process_handle, POLLIN, 0}};
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;
    if (waits[0].revents == 0) return;
    const ssize_t got = ::read(from, some.data(), some.size());
    if (got > 0) write_output(std::string_view(some.data(), static_cast<std::size_t>(got)));
    if (got == 0) return;
  }
}

}  // namespace

int run_and_forward(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse(words[0], errno);
  pid_t process = 0;
  std::optional<child_of_process> known;
  {
    const held_signals held;
    process = start(words, ends[1], held);
    known.emplace(process, reach::process);
  }
  ::close(ends[1]);
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (handle < 0) refuse("a handle of " + words[0], errno);
  forward(ends[0], handle);
  ::close(handle);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace tsubu::command
