#include "tsubu/transport/mpi/end_collectives.hpp"

#include <utility>

#include "tsubu/transport/mpi/check_mpi.hpp"

namespace tsubu::transport::mpi {

void end_collectives::barrier() { check_mpi(MPI_Barrier(comm_)); }

void end_collectives::begin_agreement() { check_mpi(MPI_Ibarrier(comm_, &agreement_)); }

void end_collectives::begin_count(std::vector<std::uint64_t> sent_to) {
  sent_to_ = std::move(sent_to);
  check_mpi(MPI_Ireduce_scatter_block(sent_to_.data(), &coming_, 1, MPI_UINT64_T, MPI_SUM, comm_, &agreement_));
}

bool end_collectives::agreed() {
  int done = 0;
  check_mpi(MPI_Test(&agreement_, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

}  // namespace tsubu::transport::mpi
