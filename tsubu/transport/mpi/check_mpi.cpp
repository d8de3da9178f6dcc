#include "tsubu/transport/mpi/check_mpi.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "tsubu/base/check.hpp"

namespace tsubu::transport::mpi {

namespace {

// Constant-initialised and trivially destroyed, so that it holds before and after everything else.
constinit std::atomic_flag ending;

int own_rank() {
  int initialized = 0;
  int finalized = 0;
  int rank = no_pe;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized && !finalized) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
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
  if (own_rank() != no_pe) MPI_Abort(MPI_COMM_WORLD, code);
  _exit(code);
}

void fail(std::string_view reason, std::source_location where) {
  std::fprintf(stderr, "tsubu: PE %d: %.*s (%s:%u)\n", own_rank(), static_cast<int>(reason.size()), reason.data(),
               where.file_name(), static_cast<unsigned>(where.line()));
  abort_job(exit_code::failed);
}

void mpi_failed(int code, std::source_location where) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail(std::string("MPI call failed: ") + text, where);
}

}  // namespace tsubu::transport::mpi
