#include "tsubu/transport/mpi/mpi_carrier.hpp"

#include <utility>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {

mpi_carrier::mpi_carrier(std::size_t receives, std::size_t batch_bytes)
    : ranks_(world_size()),
      batch_comm_(own_communicator()),
      bulk_comm_(own_communicator()),
      receives_(batch_comm_, receives, batch_bytes),
      bulks_(bulk_comm_) {}

void mpi_carrier::barrier() { check_mpi(MPI_Barrier(batch_comm_)); }

void mpi_carrier::begin_agreement() { check_mpi(MPI_Ibarrier(bulk_comm_, &agreement_)); }

void mpi_carrier::begin_count(std::vector<std::uint64_t> sent_to) {
  sent_to_ = std::move(sent_to);
  check_mpi(MPI_Ireduce_scatter_block(sent_to_.data(), &coming_, 1, MPI_UINT64_T, MPI_SUM, bulk_comm_, &agreement_));
}

bool mpi_carrier::agreed() {
  int done = 0;
  check_mpi(MPI_Test(&agreement_, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

void mpi_carrier::free_communicators() {
  check_mpi(MPI_Comm_free(&batch_comm_));
  check_mpi(MPI_Comm_free(&bulk_comm_));
}

}  // namespace tsubu::transport::mpi
