#include "tsubu/command/children.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"

namespace tsubu::command {
namespace {

constexpr int not_started_code = 127;
constexpr int between_looks_ms = 20;

// In the child. Why it could not be started goes to its output, and that it could not through `trouble`, which is
// closed when it has been started.
[[noreturn]] void become(const child_task& what, char* const* argv, const held_signals& held, int trouble) {
  ::setpgid(0, 0);
  held.let_go_in_child();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const auto& [name, value] : what.environment) ::setenv(name.c_str(), value.c_str(), 1);
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(what.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out >= 0 && ::dup2(in, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0 && ::dup2(out, STDERR_FILENO) >= 0) {
    ::execvp(argv[0], argv);
  }
  const std::string text = fmt::format("{} cannot be started: {}\n", argv[0], std::strerror(errno));
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
  [[maybe_unused]] const ssize_t told = ::write(trouble, "!", 1);
  ::_exit(not_started_code);
}

double processor_seconds(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(in, line);
  // Behind the name in parentheses, which may hold anything: the 12th and 13th field are what it took, in ticks.
  const std::size_t behind = line.rfind(')');
  if (behind == line.npos) return 0;
  std::istringstream fields(line.substr(behind + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

std::int64_t resident_bytes(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/statm", process));
  std::int64_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

children::~children() {
  for (const child& c : running_) ::kill(-c.process, SIGKILL);
  for (const child& c : running_) {
    while (::waitpid(c.process, nullptr, 0) < 0 && errno == EINTR) continue;
  }
}

void children::start(std::size_t number, const child_task& what) {
  std::vector<char*> argv;
  argv.reserve(what.words.size() + 1);
  for (const std::string& word : what.words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    end_job(exit_code::failed, fmt::format("tsubu: no pipe: {}", std::strerror(errno)));
  {
    const held_signals held;
    const pid_t process = ::fork();
    if (process == 0) become(what, argv.data(), held, ends[1]);
    if (process < 0) end_job(exit_code::failed, fmt::format("tsubu: no process: {}", std::strerror(errno)));
    ::setpgid(process, process);  // whoever of the two comes first
    running_.push_back({what, number, process, now_ns(), child_of_process(process, reach::group)});
  }
  ::close(ends[1]);
  char trouble = 0;
  ssize_t told = 0;
  do told = ::read(ends[0], &trouble, 1);
  while (told < 0 && errno == EINTR);
  if (told > 0) running_.back().how = child_end::end::not_started;
  ::close(ends[0]);
}

std::vector<std::size_t> children::who() const {
  std::vector<std::size_t> numbers;
  for (const child& c : running_) numbers.push_back(c.number);
  return numbers;
}

child_end::end children::beyond_limits(const child& c) {
  const double seconds = static_cast<double>(now_ns() - c.began_ns) * 1e-9;
  struct stat output{};
  if (c.what.limit_s > 0 && processor_seconds(c.process) > c.what.limit_s) return child_end::end::too_late;
  if (c.what.wall_limit_s > 0 && seconds > c.what.wall_limit_s) return child_end::end::too_late_by_the_clock;
  if (c.what.limit_bytes > 0 && resident_bytes(c.process) > c.what.limit_bytes) return child_end::end::too_large;
  if (::stat(c.what.output.c_str(), &output) == 0 && S_ISREG(output.st_mode) && output.st_size > most_output_bytes) {
    return child_end::end::too_talkative;
  }
  return child_end::end::by_itself;
}

void children::look_at_limits() {
  for (child& c : running_) {
    if (c.how != child_end::end::by_itself) continue;
    c.how = beyond_limits(c);
    if (c.how != child_end::end::by_itself) ::kill(-c.process, SIGKILL);
  }
}

child_end children::next() {
  for (;;) {
    look_at_limits();
    for (auto c = running_.begin(); c != running_.end(); ++c) {
      int status = 0;
      rusage used{};
      const pid_t ended = ::wait4(c->process, &status, WNOHANG, &used);
      if (ended == 0 || (ended < 0 && errno == EINTR)) continue;
      child_end r{.task = c->number, .how = c->how};
      r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      r.seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
      r.most_bytes = used.ru_maxrss * std::int64_t{1024};
      ::kill(-c->process, SIGKILL);  // what it has started and left
      running_.erase(c);
      return r;
    }
    wait_for_any();
  }
}

// Until one has ended, or it is time to look at limits again.
void children::wait_for_any() const {
  std::vector<pollfd> ends;
  for (const child& c : running_) {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, c.process, 0));
    if (handle >= 0) ends.push_back({handle, POLLIN, 0});
  }
  ::poll(ends.data(), ends.size(), between_looks_ms);
  for (const pollfd& end : ends) ::close(end.fd);
}

}  // namespace tsubu::command
