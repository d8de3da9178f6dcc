// What the engine of a rank hands to one of its PEs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/mpi/mpsc_queue.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {
class shared_end;
}

namespace tsubu::transport::mpi {

struct inbox;

// A bulk for another rank, until its source has been told.
struct bulk_out {
  std::atomic<bulk_out*> next{nullptr};
  bulk_source source;
  inbox* sender = nullptr;
};

struct alignas(128) inbox {
  // Filled by whoever moves messages for the rank, emptied by the PE.
  mpsc_queue<batch> arrived;  // a bulk comes twice: its head, and the head again when the bytes are there
  mpsc_queue<bulk_out> sent;  // bulks whose source may be used again
  std::unique_ptr<std::atomic<std::uint32_t>[]> released;  // how many of those posted to each PE of the job

  // Touched by the PE's thread only.
  batch_queue fetched;  // came before those that are in `arrived`, by this PE's own doing

  // Constant once the PE has its end.
  shared_end* end = nullptr;  // whom to wake
};

}  // namespace tsubu::transport::mpi
