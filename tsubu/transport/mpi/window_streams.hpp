// Streams of bytes between all ranks, by MPI's one-sided communication: a window of each rank, open to all for its
// lifetime (passive target).
//
// In a rank's window lie counters and, for each other rank, a ring for each kind of stream. Who sends puts bytes into
// the ring, completes that (flush), and only then replaces the counter of what it has written; so who sees the counter
// finds the bytes. The receiver replaces a counter in the sender's window when it has read a quarter of the ring. A
// rank looks at the counters in its own window by an atomic read of all, which is also what gives MPI its progress.
//
// flush() waits until the target's memory has changed. Where the network writes memory by itself, or the ranks share
// it, that is no matter; an MPI whose network sends messages for it waits for the target's next call of MPI.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsubu/transport/mpi/stream_ends.hpp"

namespace tsubu::transport::mpi {

enum class stream_kind : std::uint8_t { messages, bulks };

class window_streams {
 public:
  // Collective. Nothing is written as a whole that is longer than `longest`.
  window_streams(MPI_Comm comm, std::size_t longest);
  window_streams(const window_streams&) = delete;
  window_streams& operator=(const window_streams&) = delete;

  std::size_t ranks() const { return ranks_; }

  // How many bytes may be written now, as far as this rank has heard.
  std::size_t room(stream_kind kind, std::size_t to) const { return pair(kind, to).out.room(capacity_); }
  // Writes them all: there must be room. When it returns, the source may be used again.
  void write(stream_kind kind, std::size_t to, std::span<const std::byte> bytes);

  // Hears what the others have written and read.
  void look();
  // How many bytes may be read now, as far as this rank has heard.
  std::size_t available(stream_kind kind, std::size_t from) const { return pair(kind, from).in.available(); }
  // Reads that many: they must be there.
  void read(stream_kind kind, std::size_t from, std::span<std::byte> to);

  // Collective. Nobody writes any more.
  void close();

 private:
  static constexpr std::size_t kinds = 2;

  // The counters in a window, for each kind and rank.
  enum counter : std::size_t { written, freed, counters };

  struct ends {
    sending_end out;
    receiving_end in;
  };

  std::size_t index(stream_kind kind, std::size_t rank) const { return static_cast<std::size_t>(kind) * ranks_ + rank; }
  ends& pair(stream_kind kind, std::size_t rank) { return ends_[index(kind, rank)]; }
  const ends& pair(stream_kind kind, std::size_t rank) const { return ends_[index(kind, rank)]; }
  std::size_t place(counter which, stream_kind kind, std::size_t rank) const {
    return static_cast<std::size_t>(which) * kinds * ranks_ + index(kind, rank);
  }
  std::size_t ring(stream_kind kind, std::size_t rank) const {
    return counters * kinds * ranks_ * sizeof(stream_count) + index(kind, rank) * capacity_;
  }
  void put(std::size_t to, std::size_t where, std::span<const std::byte> bytes);
  void tell(std::size_t to, std::size_t place, stream_count value);

  // Constant after construction.
  std::size_t ranks_ = 0;
  std::size_t own_rank_ = 0;
  std::size_t capacity_;  // of a ring
  std::byte* own_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;

  std::vector<ends> ends_;            // by kind and rank
  std::vector<stream_count> looked_;  // scratch of look()
};

}  // namespace tsubu::transport::mpi
