#include "tsubu/transport/mpi/failure.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {

namespace {

// Constant-initialised and trivially destroyed, so that it holds before and after everything else.
constinit std::atomic_flag ending;

constinit std::atomic<std::atomic<bool>*> lock_of_mpi{nullptr};
constinit thread_local pe_id own_pe = no_pe;

bool mpi_runs() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized && !finalized;
}

// Keeps the other threads of this process out of MPI, for good.
void take_mpi() {
  std::atomic<bool>* lock = lock_of_mpi.load();
  constexpr int most_looks = 100;
  for (int look = 0; lock != nullptr && look < most_looks && lock->exchange(true); ++look) usleep(1000);
}

bool unread(int file) {
  int bytes = 0;
  return ioctl(file, FIONREAD, &bytes) == 0 && bytes > 0;
}

// Whether the process that started this one sleeps, so has handled all that it was woken for. By no stream of C: where
// a thread keeps one, opening another waits for it.
bool launcher_sleeps() {
  const std::string path = "/proc/" + std::to_string(getppid()) + "/stat";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  char text[256];  // "PID (NAME) STATE ...", and a name has 15 characters
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  const std::string_view all(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  const std::size_t name_ends = all.rfind(") ");
  return name_ends == all.npos || all.substr(name_ends + 2).starts_with('S');
}

// Launchers read what a rank prints from pipes, and MPICH's drops what it has not read, or not passed on,
// when the job is aborted. So this waits until the pipes are empty and their reader sleeps, and a moment more.
void let_output_pass() {
  constexpr int most_looks = 100;
  for (int look = 0; look < most_looks; ++look) {
    if (!unread(STDOUT_FILENO) && !unread(STDERR_FILENO) && launcher_sleeps()) break;
    usleep(2000);
  }
  usleep(30'000);
}

// Ends what this process writes to the pipe that this file is, under each number by which it has it: a launcher may
// leave several. What other threads still write goes nowhere.
void end_pipe(int file, int nowhere) {
  struct stat pipe{};
  if (fstat(file, &pipe) != 0 || !S_ISFIFO(pipe.st_mode)) return;
  constexpr int most_files = 1024;
  for (int other = 0; other < most_files; ++other) {
    struct stat status{};
    if (fstat(other, &status) == 0 && status.st_dev == pipe.st_dev && status.st_ino == pipe.st_ino)
      dup2(nowhere, other);
  }
}

}  // namespace

// MPICH's launcher (Hydra 4.0) loses the exit code of a process that it finds ended while it still handles that
// process's output, and gives 1 as the job's; so the output ends before the process does.
void leave(int code) {
  let_output_pass();
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  end_pipe(STDOUT_FILENO, nowhere);
  end_pipe(STDERR_FILENO, nowhere);
  let_output_pass();
  _exit(code);
}

void abort_job(int code) {
  if (ending.test_and_set()) {
    for (;;) pause();  // another thread is ending this process
  }
  let_output_pass();
  take_mpi();
  // MPI may end this process by exit(), and that comes here first: what runs there for a process that ends as it should
  // is not to run.
  on_exit([](int now, void*) { leave(now); }, nullptr);
  if (mpi_runs()) MPI_Abort(job_ranks(), code);
  _exit(code);
}

void guard_abort_with(std::atomic<bool>* lock) { lock_of_mpi.store(lock); }

// MPICH's launcher (Hydra 4.0) ends its proxies by SIGKILL where the second of its clock changes while it ends an
// aborted job. Ranks that wait for messages would outlive such a proxy, and the launcher would wait for them, whose
// pipes it holds: so the kernel ends a rank that a proxy has started with that proxy.
void end_with_proxy() {
  const pid_t parent = getppid();
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(parent) + "/comm"), name);
  if (name != "hydra_pmi_proxy") return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);  // it had ended before
}

void watch_forks() {
  static bool watched = false;
  if (watched) return;
  watched = true;
  pthread_atfork(nullptr, nullptr, [] { is_forked_child = true; });
}

void end_forked_child() {
  std::fprintf(
      stderr,
      "tsubu: PE %d: a child process (%d) that it has forked goes on as if it were the PE: it ends here. Let it "
      "call exec() or _exit() in what has forked it\n",
      own_pe, getpid());
  _exit(exit_code::failed);
}

void set_own_pe(pe_id pe) { own_pe = pe; }

void fail(std::string_view reason, std::source_location where) {
  std::fprintf(stderr, "tsubu: PE %d: %.*s (%s:%u)\n", own_pe, static_cast<int>(reason.size()), reason.data(),
               where.file_name(), static_cast<unsigned>(where.line()));
  abort_job(exit_code::failed);
}

}  // namespace tsubu::transport::mpi
