#include "tsubu/command/explore.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/leftovers.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/sim/explore.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::command {
namespace {

constexpr std::string_view not_deterministic = "not deterministic";
constexpr std::uint64_t twice_one_in = 100;  // seeds run twice, and their traces compared
constexpr int lines_shown = 12;
constexpr int trace_descriptor = 3;
constexpr std::int64_t progress_every_ns = 200'000'000;

[[noreturn]] void refuse(std::string_view what) {
  end_job(exit_code::failed, fmt::format("tsubu: cannot explore: {}: {}", what, std::strerror(errno)));
}

std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,@%+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// What a process writes, in memory, for one process after the other.
class captured {
 public:
  captured() : file_(::memfd_create("captured", MFD_CLOEXEC)) {
    if (file_ < 0) refuse("no memory for what the program prints");
  }
  captured(const captured&) = delete;
  captured& operator=(const captured&) = delete;
  ~captured() { ::close(file_); }

  int file() const { return file_; }
  void clear() const {
    if (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) != 0) refuse("no memory for what the program prints");
  }
  // Its end, which is where programs say what was wrong.
  std::string text() const {
    constexpr off_t most = 1 << 20;
    const off_t size = ::lseek(file_, 0, SEEK_END);
    const off_t from = std::max<off_t>(size - most, 0);
    std::string read(static_cast<std::size_t>(size - from), '\0');
    const ssize_t n = ::pread(file_, read.data(), read.size(), from);
    read.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return read;
  }

 private:
  int file_;
};

std::string last_lines(const std::string& text, int lines) {
  std::size_t from = text.size() - (text.ends_with('\n') ? 1 : 0);
  while (lines-- > 0 && from != 0 && from != text.npos) from = text.rfind('\n', from - 1);
  return from == text.npos || from == 0 ? text : text.substr(from + 1);
}

// A file without a name, for a trace.
class trace_file {
 public:
  trace_file() {
    const char* in = std::getenv("TMPDIR");
    std::string name = fmt::format("{}/tsubu-explore-XXXXXX", in != nullptr ? in : "/tmp");
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0 || ::unlink(name.c_str()) != 0) refuse("no temporary file " + name);
  }
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;
  ~trace_file() { ::close(file_); }

  int file() const { return file_; }
  bool same_as(const trace_file& other) const {
    std::vector<char> of_this(1 << 16), of_other(1 << 16);
    for (off_t at = 0;;) {
      const ssize_t n = ::pread(file_, of_this.data(), of_this.size(), at);
      if (n < 0 || n != ::pread(other.file_, of_other.data(), of_other.size(), at)) return false;
      if (n == 0) return at > 0;
      if (std::memcmp(of_this.data(), of_other.data(), static_cast<std::size_t>(n)) != 0) return false;
      at += n;
    }
  }

 private:
  int file_;
};

struct planted {  // the death of a PE
  int pe;
  std::uint64_t us;
};

// One seed: what it draws, and the process that runs it now.
struct run_of_seed {
  std::uint64_t seed = 0;
  int pes = 0;
  std::optional<planted> fault;
  bool twice = false;
  int turn = 0;  // 1: the second time
  pid_t process = -1;
  int handle = -1;  // its pidfd
  std::optional<child_of_process> known;
  std::int64_t began_ns = 0;
  bool killed = false;
  captured out, err;
  trace_file traces[2];
};

class explorer {
 public:
  explicit explorer(const exploration& what) : what_(what), shows_progress_(::isatty(STDERR_FILENO) != 0) {}
  int explore();

 private:
  std::vector<std::string> words(const run_of_seed& r, bool traced) const;
  void draw(run_of_seed& r, std::uint64_t seed) const;
  void start(run_of_seed& r);
  bool take_end(run_of_seed& r);
  std::string trouble(const run_of_seed& r, int status) const;
  void tell(const run_of_seed& r, const std::string& trouble);
  void show_progress(bool at_end);

  const exploration& what_;
  const bool shows_progress_;
  std::vector<run_of_seed> running_;
  std::uint64_t done_ = 0, compared_ = 0, died_ = 0;
  int failures_ = 0;
  std::int64_t began_ns_ = 0, shown_ns_ = 0;
};

std::vector<std::string> explorer::words(const run_of_seed& r, bool traced) const {
  std::vector<std::string> ours{"--tsubu-transport=sim", fmt::format("--tsubu-seed={}", r.seed),
                                fmt::format("--tsubu-pes={}", r.pes),
                                fmt::format("--tsubu-time-limit={}", what_.limit_s)};
  if (!what_.machine.empty()) ours.push_back("--tsubu-machine=" + what_.machine);
  if (r.fault) ours.push_back(fmt::format("--tsubu-fault=pe:{}@{}", r.fault->pe, r.fault->us));
  if (traced) ours.push_back(fmt::format("--tsubu-trace=/dev/fd/{}", trace_descriptor));
  std::vector<std::string> line = what_.program;
  // What follows a "--" is the program's.
  line.insert(std::find(line.begin(), line.end(), "--"), ours.begin(), ours.end());
  return line;
}

void explorer::draw(run_of_seed& r, std::uint64_t seed) const {
  r.seed = seed;
  r.pes = sim::draw_pes(seed, what_.pes);
  r.twice = seed % twice_one_in == 1;
  r.turn = 0;
  if (!what_.faults) return;
  random_source random(seed ^ 0x6661756c7473);  // other numbers than the schedule's
  const int pe = static_cast<int>(random.below(static_cast<std::uint64_t>(r.pes)));
  // Times of every size are drawn alike often: most of what can go wrong happens at the beginning.
  const std::uint64_t about = std::uint64_t{1} << random.below(14);
  r.fault = planted{pe, about + random.below(about)};
}

void explorer::start(run_of_seed& r) {
  r.out.clear();
  r.err.clear();
  r.killed = false;
  const std::vector<std::string> line = words(r, r.twice);
  std::vector<char*> argv;
  for (const std::string& word : line) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  const held_signals held;
  ::posix_spawnattr_init(&how);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setsigmask(&how, &held.before());
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, r.out.file(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, r.err.file(), STDERR_FILENO);
  if (r.twice) ::posix_spawn_file_actions_adddup2(&files, r.traces[r.turn].file(), trace_descriptor);
  const int error = ::posix_spawnp(&r.process, argv[0], &files, &how, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&how);
  if (error != 0) {
    end_job(exit_code::unavailable, fmt::format("tsubu: {} cannot be started: {}", line[0], std::strerror(error)));
  }
  r.known.emplace(r.process, reach::group);
  r.handle = static_cast<int>(::syscall(SYS_pidfd_open, r.process, 0));
  if (r.handle < 0) refuse("no handle of a process");
  r.began_ns = now_ns();
}

// What is wrong with how it ended, or "".
std::string explorer::trouble(const run_of_seed& r, int status) const {
  if (r.killed) return fmt::format("it did not end in {} s of this computer's time", what_.wall_limit_s);
  if (WIFSIGNALED(status)) {
    const char* const name = ::sigabbrev_np(WTERMSIG(status));
    return fmt::format("signal {} (SIG{})", WTERMSIG(status), name != nullptr ? name : "?");
  }
  const int code = WEXITSTATUS(status);
  if (code == 0 && what_.output && r.out.text() != *what_.output) return "it printed something else";
  if (code == 0) return "";
  if (r.fault) {
    const std::string wanted = fmt::format("tsubu: PE {} has died", r.fault->pe);
    if (code == exit_code::failed && r.err.text().find(wanted) != std::string::npos) return "";
    return fmt::format("exit code {}, and not {} with \"{}\"", code, exit_code::failed, wanted);
  }
  return fmt::format("exit code {}", code);
}

// Its process has ended. True if the seed's run is over.
bool explorer::take_end(run_of_seed& r) {
  int status = 0;
  while (::waitpid(r.process, &status, 0) < 0) {
    if (errno != EINTR) refuse("a process is lost");
  }
  r.known.reset();
  ::close(r.handle);
  r.process = r.handle = -1;
  std::string wrong = trouble(r, status);
  if (wrong.empty() && r.twice && r.turn == 0) {
    r.turn = 1;
    start(r);
    return false;
  }
  if (r.twice && wrong.empty()) {
    ++compared_;
    if (!r.traces[0].same_as(r.traces[1]))
      wrong = std::string(not_deterministic) + ": the same seed gave another trace the second time";
  }
  ++done_;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && wrong.empty()) ++died_;
  if (!wrong.empty()) tell(r, wrong);
  return true;
}

void explorer::tell(const run_of_seed& r, const std::string& trouble) {
  ++failures_;
  if (shows_progress_) std::fputs("\r\033[K", stderr);
  std::string text = fmt::format("seed {}, {} PEs: {}\n", r.seed, r.pes, trouble);
  std::string said = r.err.text();
  if (said.empty()) said = r.out.text();
  said = last_lines(said, lines_shown);
  for (std::size_t from = 0; from < said.size();) {
    const std::size_t end = std::min(said.find('\n', from), said.size());
    text += "  | " + said.substr(from, end - from) + '\n';
    from = end + 1;
  }
  std::string line;
  for (const std::string& word : words(r, false)) line += (line.empty() ? "" : " ") + quoted(word);
  text += "  again: " + line + "\n  (with --tsubu-trace=FILE: what each PE did and when, for ui.perfetto.dev)\n";
  if (trouble.starts_with(not_deterministic)) {
    text += "  (with --tsubu-watch=clock: whether the program reads this computer's clock)\n";
  }
  write_output(text);
  flush_output();
}

void explorer::show_progress(bool at_end) {
  if (!shows_progress_) return;
  const std::int64_t now = now_ns();
  if (!at_end && now - shown_ns_ < progress_every_ns) return;
  shown_ns_ = now;
  fmt::print(stderr, "\r\033[K");
  if (at_end) return;
  const double seconds = static_cast<double>(now - began_ns_) * 1e-9;
  fmt::print(stderr, "{} of {} runs, {} failures, {:.0f} runs/s", done_, what_.runs, failures_,
             static_cast<double>(done_) / seconds);
  std::fflush(stderr);
}

int explorer::explore() {
  const int jobs = what_.jobs > 0 ? what_.jobs : transport::usable_cores();
  running_ = std::vector<run_of_seed>(static_cast<std::size_t>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(jobs), std::max<std::uint64_t>(what_.runs, 1))));
  began_ns_ = now_ns();
  std::uint64_t next = what_.first;
  const std::uint64_t end = what_.first + what_.runs;
  const auto go_on = [&](run_of_seed& r) {
    if (next == end || failures_ >= what_.most_failures) return;
    draw(r, next++);
    start(r);
  };
  for (run_of_seed& r : running_) go_on(r);
  std::vector<pollfd> waits;
  for (;;) {
    waits.clear();
    const std::int64_t limit_ns = std::int64_t{1'000'000'000} * what_.wall_limit_s;
    std::int64_t patience_ns = progress_every_ns;
    for (run_of_seed& r : running_) {
      if (r.process < 0) continue;
      const std::int64_t left_ns = r.began_ns + limit_ns - now_ns();
      if (left_ns <= 0 && !r.killed) {
        r.killed = true;
        ::kill(-r.process, SIGKILL);
      }
      if (!r.killed) patience_ns = std::min(patience_ns, left_ns);
      waits.push_back({r.handle, POLLIN, 0});
    }
    if (waits.empty()) break;
    const int some = ::poll(waits.data(), waits.size(), static_cast<int>(patience_ns / 1'000'000) + 1);
    if (some < 0 && errno != EINTR) refuse("poll");
    for (const pollfd& w : waits) {
      if (some <= 0 || w.revents == 0) continue;
      const auto r =
          std::find_if(running_.begin(), running_.end(), [&](const run_of_seed& one) { return one.handle == w.fd; });
      if (take_end(*r)) go_on(*r);
    }
    show_progress(false);
  }
  show_progress(true);
  const double seconds = static_cast<double>(now_ns() - began_ns_) * 1e-9;
  write_output(fmt::format("{} runs, seeds {} to {}: {} failures{}; {} seeds run twice, {} runs/s, {} at a time\n",
                           done_, what_.first, next - 1, failures_,
                           what_.faults ? fmt::format(", {} runs ended with the planted error", died_) : "", compared_,
                           static_cast<long>(static_cast<double>(done_) / seconds), running_.size()));
  return failures_ == 0 ? 0 : 1;
}

}  // namespace

int explore(const exploration& what) { return explorer(what).explore(); }

}  // namespace tsubu::command
