// What travels with a batch: 8 bytes, in the last header field of the batch itself.
//
// That field lies directly before data(), so that prefix and data are one contiguous message that
// MPI sends from, and receives into, the batch without a copy. The other header fields stay local.
// It is short because a lone packet's message then fits a cache line, MPI's own header included.
// The head of a bulk tells the bulk's length behind its data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

enum class kind : std::uint16_t {
  batch = 1,
  bulk_head,      // a batch whose bulk follows, once it is cleared
  credit,         // nothing but `credits`; is never handed up
  clear_to_send,  // the receives of the peer's oldest uncleared bulk are posted; is never handed up
};

struct prefix {
  std::uint32_t size;     // bytes used of data()
  std::uint16_t credits;  // batches of the receiver that the sender has released since it last said so
  kind what;
};

static_assert(sizeof(prefix) == sizeof(batch::own));
static_assert(offsetof(batch, own) + sizeof(prefix) == sizeof(batch));

// Up to this size a blocking send is used: it costs no request. MPI copies so few bytes away at once; and if it had no
// room for them, the posted receive that our credits promise would take them.
inline constexpr std::size_t short_message = 256;

using bulk_length = std::uint64_t;

// Of a batch's memory, its 48-byte header included.
constexpr std::size_t memory_bytes(std::size_t batch_bytes) {
  return sizeof(batch) + batch_bytes + sizeof(bulk_length);
}
// Of the longest message.
constexpr std::size_t message_bytes(std::size_t batch_bytes) {
  return sizeof(prefix) + batch_bytes + sizeof(bulk_length);
}

// Where the message of a batch begins.
inline std::byte* message(batch* b) { return b->data() - sizeof(prefix); }

inline void write_prefix(batch* b, const prefix& p) { std::memcpy(message(b), &p, sizeof p); }

inline prefix read_prefix(batch* b) {
  prefix p;
  std::memcpy(&p, message(b), sizeof p);
  return p;
}

// Behind the data of a bulk's head.
inline void write_bulk_length(batch* head, bulk_length n) { std::memcpy(head->data() + head->size, &n, sizeof n); }

inline bulk_length read_bulk_length(batch* head) {
  bulk_length n;
  std::memcpy(&n, head->data() + head->size, sizeof n);
  return n;
}

}  // namespace tsubu::transport::mpi
