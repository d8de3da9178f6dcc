// What travels with a batch: 16 bytes, in the last two header fields of the batch itself.
//
// Those fields lie directly before data(), so that prefix and data are one contiguous message that
// MPI sends from, and receives into, the batch without a copy. The other header fields stay local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

enum class kind : std::uint16_t {
  batch = 1,
  bulk_head,        // a batch whose bulk follows, once it is cleared
  credit,           // nothing but `credits`; is never handed up
  clear_to_send,    // the receives of the peer's oldest uncleared bulk are posted; is never handed up
};

struct prefix {
  std::uint64_t bulk_bytes;  // of a bulk head
  std::uint32_t size;        // bytes used of data()
  std::uint16_t credits;     // batches of the receiver that the sender has released since it last said so
  kind what;
};

static_assert(sizeof(prefix) == sizeof(batch::bulk_bytes) + sizeof(batch::own));
static_assert(offsetof(batch, bulk_bytes) + sizeof(prefix) == sizeof(batch));
static_assert(offsetof(batch, own) == offsetof(batch, bulk_bytes) + sizeof(batch::bulk_bytes));

// Where the message of a batch begins.
inline std::byte* message(batch* b) { return b->data() - sizeof(prefix); }

inline void write_prefix(batch* b, const prefix& p) { std::memcpy(message(b), &p, sizeof p); }

inline prefix read_prefix(batch* b) {
  prefix p;
  std::memcpy(&p, message(b), sizeof p);
  return p;
}

}  // namespace tsubu::transport::mpi
