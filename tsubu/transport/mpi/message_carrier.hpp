// Messages of MPI as the carrier of a rank's lanes: posted receives and sends that have not left. mpi_carrier.hpp says
// what each function promises.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "tsubu/transport/mpi/message_bulks.hpp"
#include "tsubu/transport/mpi/receive_ring.hpp"
#include "tsubu/transport/mpi/send_list.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class message_carrier {
 public:
  message_carrier(MPI_Comm batches, MPI_Comm bulks, std::size_t receives, std::size_t batch_bytes)
      : comm_(batches), receives_(batches, receives, batch_bytes), bulks_(bulks) {}

  bulk_mover& bulks() { return bulks_; }
  const bulk_mover& bulks() const { return bulks_; }

  template <class Batches>
  void send(batch* b, std::size_t bytes, int rank, Batches& batches) {
    sends_.send(b, bytes, rank, comm_, batches);
  }
  bool sending() const { return !sends_.empty(); }
  template <class Batches>
  void collect(Batches& batches) {
    sends_.collect(batches);
  }

  void post_receive(batch* buffer) { receives_.post(buffer); }
  bool listening() const { return !receives_.empty(); }
  bool has_arrival() const { return receives_.arrived(); }
  batch* take(int& rank) { return receives_.take(rank); }

  template <class Batches>
  void close(Batches& batches) {
    receives_.cancel(batches);
  }

 private:
  MPI_Comm comm_;
  receive_ring receives_;
  send_list sends_;
  message_bulks bulks_;
};

}  // namespace tsubu::transport::mpi
