// The PEs of one process (of one MPI rank, or of a job on threads), as far as they touch each other's memory.
//
// Every pair of PEs that has something to say has a ring of its own, and every PE has one part that others may touch:
// the stack on which they leave the batches that they give back to it, and the place where it sleeps. All else is
// private.
#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <vector>

#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/threads/parking.hpp"
#include "tsubu/transport/threads/ring.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

// The part of a PE that other threads may touch.
struct alignas(128) public_part {
  std::atomic<batch*> returned{nullptr};  // a stack of this PE's batches that others have given back
  parking bed;
};

struct rank_group {
  // `room_behind`: bytes of a batch's memory behind its capacity.
  rank_group(int pes, std::size_t batch_bytes_, std::size_t room_behind_ = 0)
      : batch_bytes(batch_bytes_),
        room_behind(room_behind_),
        public_parts(static_cast<std::size_t>(pes)),
        rings(static_cast<std::size_t>(pes) * static_cast<std::size_t>(pes)),
        everyone(pes) {}
  ~rank_group() {
    for (auto& r : rings) delete r.load(std::memory_order_relaxed);
  }
  rank_group(const rank_group&) = delete;
  rank_group& operator=(const rank_group&) = delete;

  std::size_t pe_count() const { return public_parts.size(); }
  public_part& public_part_of(pe_id pe) { return public_parts[static_cast<std::size_t>(pe)]; }

  // The place of a pair's ring: null until the sender makes it, when it first sends.
  std::atomic<ring*>& ring_of(pe_id from, pe_id to) {
    return rings[static_cast<std::size_t>(to) * pe_count() + static_cast<std::size_t>(from)];
  }

  // Constant after construction.
  const std::size_t batch_bytes;
  const std::size_t room_behind;
  const int cores = usable_cores();  // counted before any thread is bound to one of them

  // Touched by all PEs.
  std::vector<public_part> public_parts;
  std::vector<std::atomic<ring*>> rings;
  std::barrier<> everyone;
};

}  // namespace tsubu::transport
