// The bytes of bulks: from the user's span to where the receiver wants them.
//
// The head of a bulk travels like any batch. When it arrives, the receiver gets ready for the bytes and answers
// clear-to-send; only then the sender sends. So no bulk byte is ever unexpected. How the bytes move is up to what
// carries the messages: message_bulks.hpp, window_bulks.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class bulk_mover {
 public:
  bulk_mover() = default;
  bulk_mover(const bulk_mover&) = delete;
  bulk_mover& operator=(const bulk_mover&) = delete;

  // Sender: a head is posted. Local. `pair` tells sender and receiver, where a rank has several.
  void offer(std::uint64_t pair, bulk_source source);

  // Sender: rank `to` has answered the oldest offer of the pair that it had not answered yet. Starts the sends.
  void cleared(std::uint64_t pair, int to);

  // Receiver: gets ready for the bytes of a head, from rank `from`. Those of one rank come in the order of its
  // clearances.
  virtual void receive(batch* head, int from, std::byte* where, std::size_t bytes) = 0;

  // Tells the sources that are done, and adds the heads whose bytes are all there to `landed`.
  virtual void poll(std::vector<batch*>& landed) = 0;

  bool active() const { return moving_ != 0; }
  std::size_t moving() const { return moving_; }
  bool idle() const { return !active() && offers_.empty(); }

 protected:
  ~bulk_mover() = default;
  virtual void send(int to, bulk_source source) = 0;

  std::size_t moving_ = 0;  // bulks whose bytes move, in either direction

 private:
  std::unordered_map<std::uint64_t, std::queue<bulk_source>> offers_;  // by pair, not yet cleared
};

}  // namespace tsubu::transport::mpi
