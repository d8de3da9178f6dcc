// What a simulated PE did, and where its time went.
#pragma once

#include <cstdint>

namespace tsubu::sim {

// Where a PE's time went, in picoseconds.
struct breakdown {
  std::int64_t working = 0;    // the program, by work()
  std::int64_t executing = 0;  // starting handlers
  std::int64_t sending = 0;    // packets and batches
  std::int64_t receiving = 0;  // batches
  std::int64_t switching = 0;  // tasks
  std::int64_t idle = 0;       // and looking for messages

  std::int64_t busy() const { return working + executing + sending + receiving + switching; }

  breakdown& operator+=(const breakdown& other) {
    working += other.working;
    executing += other.executing;
    sending += other.sending;
    receiving += other.receiving;
    switching += other.switching;
    idle += other.idle;
    return *this;
  }
};

// What a simulated PE did.
struct account {
  breakdown time;
  std::uint64_t packets_executed = 0;
  std::uint64_t batches_sent = 0;
  std::uint64_t bytes_sent = 0;  // of batches that went over the network
};

}  // namespace tsubu::sim
