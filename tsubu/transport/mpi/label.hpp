// What travels with a batch between ranks that hold several PEs: 8 bytes, in the place of wire.hpp's prefix.
//
// Two things come back to a sender. A *credit* of the pair of ranks: its message has been taken out of MPI's
// receive. And the *release* of the pair of PEs: the addressee is done with the batch. Both ride on what
// goes there anyway.
#pragma once

#include <cstdint>
#include <cstring>

#include "tsubu/transport/mpi/wire.hpp"

namespace tsubu::transport::mpi {

enum class errand : std::uint8_t {
  batch = 1,
  bulk_head,  // a batch whose bulk follows, once it is cleared
  cleared,    // the receives of the oldest uncleared bulk from `to` to `from` are posted
  releases,   // the data are a release_record each for PEs of that rank
  credits     // nothing but `credits`; the only message that takes none
};

// On the wire one word: size takes 25 bits, what 3, credits 6, from, to and released 10 each.
struct label {
  std::uint32_t size = 0;  // bytes used of data()
  errand what = errand::batch;
  std::uint32_t credits = 0;
  int from = 0;  // the sender's number in its rank
  int to = 0;    // the receiver's number in its rank
  std::uint32_t released = 0;
};

inline constexpr int most_pes_per_rank = 1 << 10;
inline constexpr std::uint32_t most_label_credits = (1 << 6) - 1;
inline constexpr std::uint32_t most_label_releases = (1 << 10) - 1;

inline void write_label(batch* b, const label& l) {
  const std::uint64_t word = std::uint64_t{l.size} | static_cast<std::uint64_t>(l.what) << 25 |
                             std::uint64_t{l.credits} << 28 | static_cast<std::uint64_t>(l.from) << 34 |
                             static_cast<std::uint64_t>(l.to) << 44 | std::uint64_t{l.released} << 54;
  static_assert(sizeof word == sizeof(prefix));
  std::memcpy(message(b), &word, sizeof word);
}

inline label read_label(batch* b) {
  std::uint64_t word;
  std::memcpy(&word, message(b), sizeof word);
  const auto bits = [word](int from, int count) {
    return static_cast<std::uint32_t>(word >> from & ((std::uint64_t{1} << count) - 1));
  };
  return {bits(0, 25),
          static_cast<errand>(bits(25, 3)),
          bits(28, 6),
          static_cast<int>(bits(34, 10)),
          static_cast<int>(bits(44, 10)),
          bits(54, 10)};
}

struct release_record {
  std::uint16_t to;  // number in the rank that the message goes to
  std::uint16_t count;
};

}  // namespace tsubu::transport::mpi
