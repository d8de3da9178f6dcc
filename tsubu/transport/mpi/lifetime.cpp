#include "tsubu/transport/mpi/lifetime.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/failure.hpp"

namespace tsubu::transport::mpi {
namespace {

// Constant-initialised, for it is read when the process ends.
constinit pid_t started_by = 0;  // this process, and not one that it forks; 0: it has not, or has ended MPI
constinit ranks_without_job last_meeting{};
constinit bool ranks_part = false;
constinit mpi_start told{};

ranks_without_job meet(ranks_without_job mine) {
  if (ranks_part) return last_meeting;
  int sums[2] = {mine.for_help, mine.at_their_end};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  int ranks = 0;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  ranks_part = 0 < sums[1] && sums[1] < ranks;
  return last_meeting = {sums[0], sums[1]};
}

void finalize() { check_mpi(MPI_Finalize()); }

struct library_name {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  library_name() {
    int length = 0;
    check_mpi(MPI_Get_library_version(text, &length));
  }
};

void end_mpi(std::optional<int> code) {
  if (started_by != getpid()) return;
  started_by = 0;
  meet({.at_their_end = 1});
  if (told.ends == nullptr) return finalize();
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  const library_name library;
  told.ends({code, rank, library.text, leave}, finalize);
}

}  // namespace

void watch_start(const mpi_start& by) {
  told = by;
#ifdef TSUBU_MPI_ENDS_WITH_JOB
  told.begins = nullptr;  // ranks are no processes, which a clock could end
  told.ends = nullptr;
#endif
}

void tell_start(int ranks, int rank) {
  if (told.has_begun == nullptr) return;
  const library_name library;
  told.has_begun(ranks, rank, library.text);
}

int start_mpi(int level) {
  int provided = MPI_THREAD_SINGLE;
  int known = 0;
  check_mpi(MPI_Finalized(&known));
  if (known != 0) fail("a job begins after MPI has ended: call run() before MPI_Finalize()");
  check_mpi(MPI_Initialized(&known));
  if (known != 0) {
    check_mpi(MPI_Query_thread(&provided));
    return provided;
  }
  if (told.begins != nullptr) told.begins();
  check_mpi(MPI_Init_thread(nullptr, nullptr, level, &provided));
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  started_by = getpid();
#ifndef TSUBU_MPI_ENDS_WITH_JOB
  // After MPI has registered what ends it: so this is called before.
  on_exit([](int code, void*) { end_mpi(code); }, nullptr);
  at_quick_exit([] { end_mpi({}); });
#endif
  return provided;
}

void after_job() {
#ifdef TSUBU_MPI_ENDS_WITH_JOB
  end_mpi({});
#endif
}

ranks_without_job meet_before_job(bool for_help) { return meet({.for_help = for_help ? 1 : 0}); }

}  // namespace tsubu::transport::mpi
