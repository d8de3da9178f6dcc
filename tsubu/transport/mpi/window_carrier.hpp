// One-sided communication as the carrier of a rank's lanes: messages are streams through windows (window_streams.hpp).
// mpi_carrier.hpp says what each function promises.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/window_bulks.hpp"
#include "tsubu/transport/mpi/window_streams.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class window_carrier {
 public:
  // Collective.
  window_carrier(MPI_Comm comm, std::size_t batch_bytes);

  bulk_mover& bulks() { return bulks_; }
  const bulk_mover& bulks() const { return bulks_; }

  template <class Batches>
  void send(batch* b, std::size_t bytes, int rank, Batches& batches) {
    const auto to = static_cast<std::size_t>(rank);
    if (unsent_[to].empty() && write(b, bytes, to)) {
      batches.put(b);
    } else {
      unsent_[to].push_back({b, bytes});
      ++waiting_;
    }
  }
  bool sending() const { return waiting_ != 0; }
  template <class Batches>
  void collect(Batches& batches) {
    for (std::size_t to = 0; to < unsent_.size() && waiting_ != 0; ++to) {
      while (!unsent_[to].empty() && write(unsent_[to].front().message, unsent_[to].front().bytes, to)) {
        batches.put(unsent_[to].front().message);
        unsent_[to].pop_front();
        --waiting_;
      }
    }
  }

  void post_receive(batch* buffer) { buffers_.push_back(buffer); }
  bool listening() const { return !buffers_.empty(); }
  bool has_arrival();
  batch* take(int& rank);

  template <class Batches>
  void close(Batches& batches) {
    for (batch* buffer : buffers_) batches.put(buffer);
    buffers_.clear();
    streams_.close();
  }

 private:
  struct unsent {
    batch* message;
    std::size_t bytes;
  };

  bool write(batch* b, std::size_t bytes, std::size_t to);
  bool find_arrival();

  window_streams streams_;
  window_bulks bulks_;
  std::vector<batch*> buffers_;             // where messages land
  std::vector<std::deque<unsent>> unsent_;  // by rank: what found no room, in order
  std::size_t waiting_ = 0;                 // messages in all `unsent_`
  std::size_t next_ = 0;                    // the rank whose messages are looked for first
};

}  // namespace tsubu::transport::mpi
