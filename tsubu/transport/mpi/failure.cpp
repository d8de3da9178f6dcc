#include "tsubu/transport/mpi/failure.hpp"

#include <mpi.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "tsubu/base/check.hpp"

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

// Launchers read what a rank prints from pipes, and MPICH's drops what it has not read, or not passed on,
// when the job is aborted. So this waits until the pipes are empty, and a moment more.
void let_output_pass() {
  constexpr int most_looks = 100;
  for (int look = 0; look < most_looks; ++look) {
    int unread_out = 0;
    int unread_err = 0;
    if (ioctl(STDOUT_FILENO, FIONREAD, &unread_out) != 0) unread_out = 0;
    if (ioctl(STDERR_FILENO, FIONREAD, &unread_err) != 0) unread_err = 0;
    if (unread_out == 0 && unread_err == 0) break;
    usleep(2000);
  }
  usleep(30'000);
}

}  // namespace

void abort_job(int code) {
  if (ending.test_and_set()) {
    for (;;) pause();  // another thread is ending this process
  }
  let_output_pass();
  take_mpi();
  // MPI may end this process by exit(), and that comes here first: what runs there for a process that ends as it should
  // is not to run.
  on_exit([](int now, void*) { _exit(now); }, nullptr);
  if (mpi_runs()) MPI_Abort(MPI_COMM_WORLD, code);
  _exit(code);
}

void guard_abort_with(std::atomic<bool>* lock) { lock_of_mpi.store(lock); }

void set_own_pe(pe_id pe) { own_pe = pe; }

void fail(std::string_view reason, std::source_location where) {
  std::fprintf(stderr, "tsubu: PE %d: %.*s (%s:%u)\n", own_pe, static_cast<int>(reason.size()), reason.data(),
               where.file_name(), static_cast<unsigned>(where.line()));
  abort_job(exit_code::failed);
}

}  // namespace tsubu::transport::mpi
