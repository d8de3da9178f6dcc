#include "tsubu/command/children.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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
constexpr useconds_t between_looks_us = 20'000;
constexpr double asleep = 20;  // times the limit, by the clock

// In the child.
[[noreturn]] void become(const child_task& what, char* const* argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const auto& [name, value] : what.environment) ::setenv(name.c_str(), value.c_str(), 1);
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(what.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::execvp(argv[0], argv);
  const std::string text = fmt::format("{} cannot be started: {}\n", argv[0], std::strerror(errno));
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
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
  for (const child& c : running_) ::kill(c.process, SIGKILL);
  for (const child& c : running_) {
    while (::waitpid(c.process, nullptr, 0) < 0 && errno == EINTR) continue;
  }
}

void children::start(std::size_t number, const child_task& what) {
  std::vector<char*> argv;
  argv.reserve(what.words.size() + 1);
  for (const std::string& word : what.words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t process = ::fork();
  if (process == 0) become(what, argv.data());
  if (process < 0) end_job(exit_code::failed, fmt::format("tsubu: no process: {}", std::strerror(errno)));
  running_.push_back({number, process, now_ns(), what.limit_s, what.limit_bytes});
}

std::vector<std::size_t> children::who() const {
  std::vector<std::size_t> numbers;
  for (const child& c : running_) numbers.push_back(c.number);
  return numbers;
}

void children::look_at_limits() {
  for (child& c : running_) {
    if (c.how != child_end::end::by_itself) continue;
    const double seconds = static_cast<double>(now_ns() - c.began_ns) * 1e-9;
    if (c.limit_s > 0 && (seconds > asleep * c.limit_s || processor_seconds(c.process) > c.limit_s)) {
      c.how = child_end::end::too_late;
    }
    if (c.limit_bytes > 0 && resident_bytes(c.process) > c.limit_bytes) c.how = child_end::end::too_large;
    if (c.how != child_end::end::by_itself) ::kill(c.process, SIGKILL);
  }
}

child_end children::next() {
  for (;; ::usleep(between_looks_us)) {
    look_at_limits();
    for (auto c = running_.begin(); c != running_.end(); ++c) {
      int status = 0;
      rusage used{};
      const pid_t ended = ::wait4(c->process, &status, WNOHANG, &used);
      if (ended == 0 || (ended < 0 && errno == EINTR)) continue;
      child_end r{.task = c->number, .how = c->how};
      r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (r.how == child_end::end::by_itself && r.code == not_started_code) r.how = child_end::end::not_started;
      r.seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
      r.most_bytes = used.ru_maxrss * std::int64_t{1024};
      running_.erase(c);
      return r;
    }
  }
}

}  // namespace tsubu::command
