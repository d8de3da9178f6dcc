// MPI as the carrier of a rank's lanes, in one of two ways that the job chooses: by messages (message_carrier.hpp) or
// by puts into windows (window_carrier.hpp). Nothing above knows which.
//
// What it does are the eight primitives of MTTL's communication layer (Sakae et al. 2000, table 1):
//
//   _pmttl_cominit     the constructor, barrier()          _pmttl_comfinish   begin_agreement() to close()
//   _pmttl_asend       send() of a short message           _pmttl_nsend       send() of a longer one, bulks().cleared()
//   _pmttl_senddone    collect(), bulks().poll()           _pmttl_prob        has_arrival()
//   _pmttl_brecany     post_receive(), take()              _pmttl_brecnode    bulks().receive()
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tsubu/transport/carrying.hpp"
#include "tsubu/transport/mpi/end_collectives.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/message_carrier.hpp"
#include "tsubu/transport/mpi/window_carrier.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

// How the messages of the next job travel; by messages unless somebody has chosen.
void choose_carrying(mpi_carrying way);
mpi_carrying chosen_carrying();

class mpi_carrier {
 public:
  // Collective. The receives are posted by post_receive(), at most so many at a time.
  mpi_carrier(std::size_t receives, std::size_t batch_bytes);
  mpi_carrier(const mpi_carrier&) = delete;
  mpi_carrier& operator=(const mpi_carrier&) = delete;

  std::size_t ranks() const { return ranks_; }
  bulk_mover& bulks() { return *bulks_; }
  const bulk_mover& bulks() const { return *bulks_; }

  // Sends the message of `b`, with so many bytes of data; `batches` gets it when it has left.
  template <class Batches>
  void send(batch* b, std::uint32_t size, bool bulk_head, int rank, Batches& batches) {
    std::size_t bytes = sizeof(label_word) + size;
    if (bulk_head) [[unlikely]] {
      write_bulk_length(b, b->bulk_bytes);
      bytes += sizeof(bulk_length);
    }
    by([&](auto& carrier) { carrier.send(b, bytes, rank, batches); });
  }
  bool sending() const { return windows_ ? windows_->sending() : messages_->sending(); }
  template <class Batches>
  void collect(Batches& batches) {
    by([&](auto& carrier) { carrier.collect(batches); });
  }

  void post_receive(batch* buffer) {
    by([&](auto& carrier) { carrier.post_receive(buffer); });
  }
  bool listening() const { return windows_ ? windows_->listening() : messages_->listening(); }
  bool has_arrival() { return windows_ ? windows_->has_arrival() : messages_->has_arrival(); }
  batch* take(int& rank) { return windows_ ? windows_->take(rank) : messages_->take(rank); }

  // The end, and the beginning: see end_collectives.hpp.
  void barrier() { together_.barrier(); }
  void begin_agreement() { together_.begin_agreement(); }
  void begin_count(std::vector<std::uint64_t> sent_to) { together_.begin_count(std::move(sent_to)); }
  bool agreed() { return together_.agreed(); }
  std::uint64_t coming() const { return together_.coming(); }

  // All messages that were sent to this rank have arrived. Collective.
  template <class Batches>
  void close(Batches& batches) {
    by([&](auto& carrier) { carrier.close(batches); });
    free_communicators();
  }

 private:
  template <class Call>
  void by(Call call) {
    if (windows_) {
      call(*windows_);
    } else {
      call(*messages_);
    }
  }
  void free_communicators();

  // Constant after construction, until the end.
  const std::size_t ranks_;
  MPI_Comm batch_comm_;
  MPI_Comm bulk_comm_;  // and for the collectives of the end

  std::optional<message_carrier> messages_;  // one of the two is there
  std::optional<window_carrier> windows_;
  bulk_mover* bulks_;

  end_collectives together_;
};

}  // namespace tsubu::transport::mpi
