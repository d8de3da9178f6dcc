// What travels in front of a batch's data between ranks: its label, 8 bytes, in the last header field of the batch
// itself.
//
// That field lies directly before data(), so that label and data are one contiguous message that MPI sends from, and
// receives into, the batch without a copy. The other header fields stay local. It is short because a lone packet's
// message then fits a cache line, MPI's own header included. The head of a bulk tells the bulk's length behind its
// data.
//
// Two things come back to a sender. A *credit* of the pair of ranks: its message has been taken out of its receive.
// And, where PEs share memory (engine.hpp), the *release* of the pair of PEs: the addressee is done with the batch. (In
// a job where none do, the credit comes back with the release, and says both.) Both ride on what goes there anyway.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

enum class kind : std::uint8_t {
  batch = 1,
  bulk_head,      // a batch whose bulk follows, once it is cleared
  clear_to_send,  // the receives of the oldest uncleared bulk from `to` to `from` are posted; is never handed up
  releases,       // the data are a release_record each for PEs of that rank; is never handed up
  credits         // nothing but `credits`; is never handed up
};

// On the wire one word: size takes 25 bits, what 3, credits 6, from, to and released 10 each.
struct label {
  std::uint32_t size = 0;  // bytes used of data()
  kind what = kind::batch;
  std::uint32_t credits = 0;   // messages of the receiver that the sender has taken since it last said so
  int from = 0;                // the sender's number in its rank
  int to = 0;                  // the receiver's number in its rank
  std::uint32_t released = 0;  // batches of `to` that `from` has released since it last said so
};

inline constexpr int most_pes_per_rank = 1 << 10;
inline constexpr std::uint32_t most_label_credits = (1 << 6) - 1;
inline constexpr std::uint32_t most_label_releases = (1 << 10) - 1;

struct release_record {
  std::uint16_t to;  // number in the rank that the message goes to
  std::uint16_t count;
};

using label_word = std::uint64_t;
using bulk_length = std::uint64_t;

static_assert(sizeof(label_word) == sizeof(batch::own));
static_assert(offsetof(batch, own) + sizeof(label_word) == sizeof(batch));

// Bytes of a batch's memory, its 48-byte header included.
constexpr std::size_t memory_bytes(std::size_t batch_bytes) {
  return sizeof(batch) + batch_bytes + sizeof(bulk_length);
}
// Bytes of the longest message.
constexpr std::size_t message_bytes(std::size_t batch_bytes) {
  return sizeof(label_word) + batch_bytes + sizeof(bulk_length);
}

// Where the message of a batch begins.
inline std::byte* message(batch* b) { return b->data() - sizeof(label_word); }

inline void write_label(batch* b, const label& l) {
  const label_word word = label_word{l.size} | static_cast<label_word>(l.what) << 25 | label_word{l.credits} << 28 |
                          static_cast<label_word>(l.from) << 34 | static_cast<label_word>(l.to) << 44 |
                          label_word{l.released} << 54;
  std::memcpy(message(b), &word, sizeof word);
}

inline label read_label(batch* b) {
  label_word word;
  std::memcpy(&word, message(b), sizeof word);
  const auto bits = [word](int from, int count) {
    return static_cast<std::uint32_t>(word >> from & ((label_word{1} << count) - 1));
  };
  return {bits(0, 25),
          static_cast<kind>(bits(25, 3)),
          bits(28, 6),
          static_cast<int>(bits(34, 10)),
          static_cast<int>(bits(44, 10)),
          bits(54, 10)};
}

// Behind the data of a bulk's head.
inline void write_bulk_length(batch* head, bulk_length n) { std::memcpy(head->data() + head->size, &n, sizeof n); }

inline bulk_length read_bulk_length(batch* head) {
  bulk_length n;
  std::memcpy(&n, head->data() + head->size, sizeof n);
  return n;
}

}  // namespace tsubu::transport::mpi
