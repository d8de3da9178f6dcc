// Bulks by MPI's messages, which move the bytes without a copy of ours.
//
// Nothing can mismatch: on their own communicator, the receives from one rank are posted in the order of the
// clearances, and so are its sends.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "tsubu/transport/mpi/bulk.hpp"

namespace tsubu::transport::mpi {

class message_bulks final : public bulk_mover {
 public:
  explicit message_bulks(MPI_Comm comm) : comm_(comm) {}

  void receive(batch* head, int from, std::byte* where, std::size_t bytes) override;
  void poll(std::vector<batch*>& landed) override;

 private:
  // Bytes that move, in either direction. `head` is null on the sending side.
  struct transfer {
    std::size_t parts = 0;
    batch* head = nullptr;
    bulk_source source;
  };

  void send(int to, bulk_source source) override;
  template <typename Start>
  void start(transfer* t, std::size_t bytes, Start start_part);
  void finish(transfer* t, std::vector<batch*>& landed);

  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;  // those of all transfers
  std::vector<transfer*> transfers_;   // of the same length: whose request it is
  std::vector<int> finished_;          // scratch of poll()
};

}  // namespace tsubu::transport::mpi
