// The plug-in: starts MPI, runs this rank's PE, ends MPI.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tsubu/base/check.hpp"
#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/mpi_transport.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

namespace {

// Batches shall leave eagerly: a rendezvous costs a system call each, keeps the batches behind it waiting,
// and may need the sender's attention. Above this size it pays nevertheless. (Open MPI ends its eager
// messages at 4 KiB between the ranks of a node, MPICH well above a batch.) What the user has set stays.
constexpr std::size_t largest_eager_batch = 16 * 1024;
constexpr std::size_t room_for_mpi_headers = 128;

void prefer_eager(std::size_t batch_bytes) {
  if (batch_bytes > largest_eager_batch) return;
  const std::string limit = std::to_string(batch_bytes + room_for_mpi_headers);
  setenv("OMPI_MCA_btl_vader_eager_limit", limit.c_str(), 0);  // Open MPI 4
  setenv("OMPI_MCA_btl_sm_eager_limit", limit.c_str(), 0);     // Open MPI 5
}

bool fits(const launch_settings& settings, int ranks, int rank) {
  if (settings.pes == 0 || settings.pes == ranks) return true;
  if (rank == 0) {
    std::fprintf(stderr, "tsubu: %d PEs were asked for, but the MPI launcher started %d (mpirun -n)\n", settings.pes,
                 ranks);
  }
  return false;
}

int run_pe(const launch_settings& settings, pe_main body, void* argument) {
  mpi_transport own_end(settings);
  const int code = body(own_end, argument);
  if (!own_end.closed()) {
    // The other PEs would wait for this one in close().
    if (code != 0) abort_job(code);
    fail("a PE ended without close()");
  }
  return code;
}

int launch(const launch_settings& settings, pe_main body, void* argument) {
  prefer_eager(settings.batch_bytes);
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  int ranks = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  const int code = fits(settings, ranks, rank) ? run_pe(settings, body, argument) : exit_code::usage;
  check_mpi(MPI_Finalize());
  return code;
}

}  // namespace

}  // namespace tsubu::transport::mpi

extern "C" {
extern __attribute__((visibility("default"))) const tsubu::transport::plugin tsubu_transport_plugin;
const tsubu::transport::plugin tsubu_transport_plugin = {tsubu::transport::plugin_abi, TSUBU_MPI_NAME,
                                                         tsubu::transport::mpi::launch};
}
