// The bytes of bulks: from the user's span to where the receiver wants them, without a copy of ours.
//
// The head of a bulk travels like any batch. When it arrives, the receiver posts the receives for the
// bytes and answers clear-to-send; only then the sender sends. So no bulk byte is ever unexpected.
//
// Nothing can mismatch: on their own communicator, the receives from one rank are posted in the order of the
// clearances, and so are its sends.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class bulk_mover {
 public:
  explicit bulk_mover(MPI_Comm comm) : comm_(comm) {}

  // Sender: a head is posted. Local. `pair` tells sender and receiver, where a rank has several.
  void offer(std::uint64_t pair, bulk_source source);

  // Sender: rank `to` has answered the oldest offer of the pair that it had not answered yet. Starts the sends.
  void cleared(std::uint64_t pair, int to);

  // Receiver: posts the receives of a head's bytes, from rank `from`.
  void receive(batch* head, int from, std::byte* where, std::size_t bytes);

  // Tells the sources that are done, and adds the heads whose bytes are all there to `landed`.
  void poll(std::vector<batch*>& landed);

  bool active() const { return !requests_.empty(); }
  bool idle() const { return !active() && offers_.empty(); }

 private:
  // Bytes that move, in either direction. `head` is null on the sending side.
  struct transfer {
    std::size_t parts = 0;
    batch* head = nullptr;
    bulk_source source;
  };

  template <typename Start>
  void start(transfer* t, std::size_t bytes, Start start_part);
  void finish(transfer* t, std::vector<batch*>& landed);

  MPI_Comm comm_;
  std::unordered_map<std::uint64_t, std::queue<bulk_source>> offers_;  // by pair, not yet cleared
  std::vector<MPI_Request> requests_;                                  // those of all transfers
  std::vector<transfer*> transfers_;                                   // of the same length: whose request it is
  std::vector<int> finished_;                                          // scratch of poll()
};

}  // namespace tsubu::transport::mpi
