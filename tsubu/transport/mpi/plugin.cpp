// The plug-in: starts MPI, runs this rank's PE, ends MPI.
#include <mpi.h>

#include <cstdint>
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

// Can the ranks be one job as they were started? Collective; one of them says why not.
bool fit_together(const launch_settings& settings, int ranks, int rank) {
  const bool wrong_pes = settings.pes != 0 && settings.pes != ranks;
  int first_wrong = wrong_pes ? rank : ranks;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &first_wrong, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first_wrong == rank) {
    std::fprintf(stderr, "tsubu: %d PEs were asked for, but the MPI launcher started %d (mpirun -n)\n", settings.pes,
                 ranks);
  }
  std::uint64_t bytes[2] = {settings.batch_bytes, ~std::uint64_t{settings.batch_bytes}};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD));
  const bool one_size = bytes[0] == ~bytes[1];
  if (!one_size && rank == 0) {
    std::fprintf(stderr, "tsubu: the ranks have batches from %ju to %ju bytes; give all the same --tsubu-batch\n",
                 std::uintmax_t{~bytes[1]}, std::uintmax_t{bytes[0]});
  }
  return first_wrong == ranks && one_size;
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

int launch(const launch_settings& asked, pe_main body, void* argument) {
  if (asked.batch_bytes != 0) prefer_eager(asked.batch_bytes);
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  int ranks = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  launch_settings settings = asked;
  settings.batch_bytes = settings.batch_bytes_for(ranks);
  settings.hops = settings.hops_for(ranks);
  const int code = fit_together(settings, ranks, rank) ? run_pe(settings, body, argument) : exit_code::usage;
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
