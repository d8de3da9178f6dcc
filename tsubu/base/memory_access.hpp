// What the program does with memories that a simulated machine has and this computer has not: one of each PE's own, one
// that all PEs share over a bus, of which each PE has a cache, and a synchronizer, words of which each PE has a copy.
//
// Like work(): in a simulated job on a machine with a table [memory] (docs/machines.md) the PE's time goes on by what
// the access takes, waiting for the bus included; in any other job these do nothing. They move no data: the values are
// the program's own variables. All are local, and never block.
#pragma once

#include <cstdint>

#include "tsubu/base/simulated_machine.hpp"

namespace tsubu {

// One access of that kind: what the functions below are made of.
// Local; does not block; throws nothing.
inline void access_memory(const memory_access& a) {
  if (simulated != nullptr) [[unlikely]]
    simulated->access(a);
}

// Reads or writes so many words of the PE's own memory, which lie one behind the other from that address on, in bytes,
// that the program chooses as it likes. It matters under a kernel only.
// Local; does not block; throws nothing.
inline void access_local(std::int64_t words = 1, std::uint64_t address = 0) {
  if (simulated == nullptr) [[likely]]
    return;
  for (; words > 0; --words, address += simulated->word_bytes())
    simulated->access({memory_access::what::local, address});
}

// Reads or writes the word of shared memory at that address, in bytes, which the program chooses as it likes; what has
// the same address divided by the machine's line_bytes is in one line.
// Local; does not block; throws nothing.
inline void read_shared(std::uint64_t address) { access_memory({memory_access::what::shared_read, address}); }
// Writes it.
// Local; does not block; throws nothing.
inline void write_shared(std::uint64_t address) { access_memory({memory_access::what::shared_write, address}); }

// Operations on a word of the synchronizer. value_before: of the word, which fetch-and-decrement leaves if it is 0.
// Local; does not block; throws nothing.
inline void read_synchronizer() { access_memory({memory_access::what::synchronizer_read}); }
// Writes a word of it.
// Local; does not block; throws nothing.
inline void write_synchronizer() { access_memory({memory_access::what::synchronizer_write}); }
// Decrements a word of it that is not 0.
// Local; does not block; throws nothing.
inline void fetch_and_dec_synchronizer(std::int64_t value_before) {
  access_memory({value_before == 0 ? memory_access::what::fetch_and_dec_of_zero : memory_access::what::fetch_and_dec});
}

// From now on this PE runs under a kernel, which gives it a virtual memory: on a machine with a table [kernel] each
// address is looked up in a translation buffer, and what is not there takes its time.
// Local; does not block; throws nothing.
inline void run_under_kernel() { access_memory({memory_access::what::kernel_begins}); }
// Calls it, for whatever it may be: the change into the kernel's mode and back.
// Local; does not block; throws nothing.
inline void call_kernel() { access_memory({memory_access::what::kernel_call}); }

}  // namespace tsubu
