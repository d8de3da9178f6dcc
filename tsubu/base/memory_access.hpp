// What the program does with memories that a simulated machine has and this computer has not: one of each PE's own, one
// that all PEs share over a bus, of which each PE has a cache, and a synchronizer, words of which each PE has a copy.
//
// Like work(): in a simulated job on a machine with a table [memory] (docs/machines.md) the PE's time goes on by what
// the access takes, waiting for the bus included; in any other job these do nothing. They move no data: the values are
// the program's own variables. All are local, and never block.
#pragma once

#include <cstdint>

#include "tsubu/base/clock.hpp"

namespace tsubu {

struct memory_access {
  enum class what : std::uint8_t {
    local,
    shared_read,
    shared_write,
    synchronizer_read,
    synchronizer_write,
    fetch_and_dec,
    fetch_and_dec_of_zero,  // finds a zero in the PE's copy, and leaves it
  } does;
  std::uint64_t address = 0;  // of shared memory
};

// The memories of a simulated machine that has them: how many picoseconds an access takes, from now on.
struct simulated_memory {
  std::int64_t (*access)(void* driver, const memory_access& a) = nullptr;
  void* driver = nullptr;
};
// Null in any job on other machines.
inline constinit const simulated_memory* simulated_memories = nullptr;

// One access of that kind: what the functions below are made of.
inline void access_memory(const memory_access& a) {
  if (simulated_memories == nullptr) [[likely]]
    return;
  const std::int64_t ps = simulated_memories->access(simulated_memories->driver, a);
  simulated->ps += ps;
  simulated->worked_ps += ps;
}

// Reads or writes so many words of the PE's own memory.
inline void access_local(std::int64_t words = 1) {
  for (; words > 0; --words) access_memory({memory_access::what::local});
}

// Reads or writes the word of shared memory at that address, in bytes, which the program chooses as it likes; what has
// the same address divided by the machine's line_bytes is in one line.
inline void read_shared(std::uint64_t address) { access_memory({memory_access::what::shared_read, address}); }
inline void write_shared(std::uint64_t address) { access_memory({memory_access::what::shared_write, address}); }

// Operations on a word of the synchronizer. value_before: of the word, which fetch-and-decrement leaves if it is 0.
inline void read_synchronizer() { access_memory({memory_access::what::synchronizer_read}); }
inline void write_synchronizer() { access_memory({memory_access::what::synchronizer_write}); }
inline void fetch_and_dec_synchronizer(std::int64_t value_before) {
  access_memory({value_before == 0 ? memory_access::what::fetch_and_dec_of_zero : memory_access::what::fetch_and_dec});
}

}  // namespace tsubu
