#include "tsubu/run/early_end.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tsubu/base/check.hpp"

namespace tsubu::run_detail {
namespace {

// MPICH's launcher loses what it has not yet read of the pipes of a job that is aborted, the reason first of all. Waits
// until it has, for a moment at most.
void let_be_read(int descriptor) {
  struct stat of{};
  if (::fstat(descriptor, &of) != 0 || !S_ISFIFO(of.st_mode)) return;
  int unread = 0;
  for (int i = 0; i < 100 && ::ioctl(descriptor, FIONREAD, &unread) == 0 && unread > 0; ++i) ::usleep(1000);
}

// Open MPI's launcher ends a job when one of its processes ends with another code than 0. MPICH's waits for the others,
// and is told here, in the words of its process management (PMI 1).
void tell_launcher(void*, int code) {
  std::fflush(stdout);
  const char* const descriptor = std::getenv("PMI_FD");
  const char* const ranks = std::getenv("PMI_SIZE");
  if (descriptor == nullptr || ranks == nullptr || std::string(ranks) == "1") return;
  struct stat of{};
  const int to_launcher = std::atoi(descriptor);
  if (::fstat(to_launcher, &of) != 0 || !S_ISSOCK(of.st_mode)) return;  // a child's, which has inherited the variable
  let_be_read(STDOUT_FILENO);
  let_be_read(STDERR_FILENO);
  const std::string word = "cmd=abort exitcode=" + std::to_string(code) + "\n";
  [[maybe_unused]] const auto written = ::write(to_launcher, word.data(), word.size());
}

constinit std::atomic<bool> seen{false};

// From the beginning of the process on, for main() may end before it calls run(). With 0 it may have done all it was
// asked for, as all ranks have that were asked for help.
[[maybe_unused]] const bool end_is_watched = [] {
  static const pid_t process = ::getpid();
  if (const char* descriptor = std::getenv("PMI_FD")) ::fcntl(std::atoi(descriptor), F_SETFD, FD_CLOEXEC);
  end_other_ranks_too();
  ::on_exit(
      [](int code, void*) {
        if (code != 0 && !seen.load() && process == ::getpid()) tell_launcher(nullptr, code);
      },
      nullptr);
  return true;
}();

}  // namespace

void end_other_ranks_too() { set_job_ender({no_pe, tell_launcher, nullptr}); }

void launcher_sees_ends() { seen = true; }

}  // namespace tsubu::run_detail
