#include "tsubu/transport/mpi/mpi_carrier.hpp"

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {
namespace {
constinit mpi_carrying chosen = mpi_carrying::by_messages;  // before the job starts
}

void choose_carrying(mpi_carrying way) { chosen = way; }
mpi_carrying chosen_carrying() { return chosen; }

mpi_carrier::mpi_carrier(std::size_t receives, std::size_t batch_bytes)
    : ranks_(world_size()), batch_comm_(own_communicator()), bulk_comm_(own_communicator()), together_(bulk_comm_) {
  if (chosen == mpi_carrying::by_windows) {
    bulks_ = &windows_.emplace(batch_comm_, batch_bytes).bulks();
  } else {
    bulks_ = &messages_.emplace(batch_comm_, bulk_comm_, receives, batch_bytes).bulks();
  }
}

void mpi_carrier::free_communicators() {
  check_mpi(MPI_Comm_free(&batch_comm_));
  check_mpi(MPI_Comm_free(&bulk_comm_));
}

}  // namespace tsubu::transport::mpi
