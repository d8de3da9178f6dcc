// The two ends of a stream of bytes from one rank to another, through a ring in the receiver's memory: what the sender
// may write there, and what the receiver may read. Counters only; who moves bytes and counters is no concern of theirs.
//
//   sender:    freed <= read, as far as it has heard;   written - freed <= capacity
//   receiver:  read <= written, as far as it has heard
//
// The receiver tells what it has read when that is a quarter of the ring. So a sender finds room for three quarters of
// it sooner or later, whatever else happens; what must be written as a whole is at most half of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tsubu::transport::mpi {

using stream_count = std::uint64_t;  // bytes since the beginning

// Bytes of a stream as they lie in the ring: a piece, and where they go on at its beginning a second one.
struct ring_pieces {
  ring_pieces(stream_count from, std::size_t bytes, std::size_t capacity)
      : offset(static_cast<std::size_t>(from % capacity)),
        first(std::min(bytes, capacity - offset)),
        second(bytes - first) {}

  std::size_t offset;
  std::size_t first;
  std::size_t second;  // at offset 0
};

struct sending_end {
  stream_count written = 0;
  stream_count freed = 0;

  // How much may be written now.
  std::size_t room(std::size_t capacity) const { return capacity - static_cast<std::size_t>(written - freed); }
  // The receiver's news. False if it cannot have read so much.
  bool hear(stream_count read) {
    const bool possible = read >= freed && read <= written;
    if (possible) freed = read;
    return possible;
  }
};

struct receiving_end {
  stream_count written = 0;
  stream_count read = 0;
  stream_count told = 0;  // the sender has been told of so many

  std::size_t available() const { return static_cast<std::size_t>(written - read); }
  // The sender's news. False if it cannot have written so much.
  bool hear(stream_count now_written, std::size_t capacity) {
    const bool possible = now_written >= written && now_written - told <= capacity;
    if (possible) written = now_written;
    return possible;
  }
  bool should_tell(std::size_t capacity) const { return read - told >= capacity / 4; }
};

}  // namespace tsubu::transport::mpi
