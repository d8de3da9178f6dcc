// MPI as the carrier of a rank's lanes: posted receives, sends that have not left, bulks, and the collectives of the
// end.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsubu/transport/mpi/bulk.hpp"
#include "tsubu/transport/mpi/receive_ring.hpp"
#include "tsubu/transport/mpi/send_list.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class mpi_carrier {
 public:
  // Collective. The receives are posted by post_receive(), at most so many at a time.
  mpi_carrier(std::size_t receives, std::size_t batch_bytes);
  mpi_carrier(const mpi_carrier&) = delete;
  mpi_carrier& operator=(const mpi_carrier&) = delete;

  std::size_t ranks() const { return ranks_; }
  bulk_mover& bulks() { return bulks_; }
  const bulk_mover& bulks() const { return bulks_; }

  // Sends the message of `b`, with so many bytes of data; `batches` gets it when it has left.
  template <class Batches>
  void send(batch* b, std::uint32_t size, bool bulk_head, int rank, Batches& batches) {
    sends_.send(b, size, bulk_head, rank, batch_comm_, batches);
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

  // Collective; blocks until all ranks have called it.
  void barrier();

  // Collectives that do not block: one is begun, and agreed() says once that all ranks have begun it.
  void begin_agreement();
  void begin_count(std::vector<std::uint64_t> sent_to);  // messages sent to each rank
  bool agreed();
  std::uint64_t coming() const { return coming_; }  // messages that were sent to this rank: known after the count

  // All messages that were sent to this rank have arrived. Collective.
  template <class Batches>
  void close(Batches& batches) {
    receives_.cancel(batches);
    free_communicators();
  }

 private:
  void free_communicators();

  // Constant after construction, until the end.
  const std::size_t ranks_;
  MPI_Comm batch_comm_;
  MPI_Comm bulk_comm_;  // and for the collectives of the end

  receive_ring receives_;
  send_list sends_;
  bulk_mover bulks_;

  // Touched at the end only.
  MPI_Request agreement_ = MPI_REQUEST_NULL;
  std::vector<std::uint64_t> sent_to_;
  std::uint64_t coming_ = 0;
};

}  // namespace tsubu::transport::mpi
