// The calls of MPI that ask whether something has happened, counted for this rank.
//
// One thread at a time makes them, as all calls of MPI; the accounts of another PE of the rank may read meanwhile.
#pragma once

#include <atomic>
#include <cstdint>

#include "tsubu/transport/calls.hpp"

namespace tsubu::transport::mpi {

class call_counter {
 public:
  void count() { count_.store(so_far() + 1, std::memory_order_relaxed); }
  std::uint64_t so_far() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> count_{0};
};

inline constinit call_counter probes;  // MPI_Test and MPI_Request_get_status of the oldest receive
inline constinit call_counter tests;   // MPI_Test of a send, MPI_Testsome of the bytes of bulks

inline library_calls made_calls() { return {probes.so_far(), tests.so_far()}; }

}  // namespace tsubu::transport::mpi
