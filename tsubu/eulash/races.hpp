// Data races of a placed program that was built to be searched for them (races.h), wherever it is simulated: all of its
// processes are then in one, so that one race_watch sees what each thread accesses, and what orders that. The first
// race ends the job, and is told with both lines.
//
// In any other job these functions do nothing.
#pragma once

#include <cstdint>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/eulash/race_watch.hpp"
#include "tsubu/eulash/thread.hpp"

extern "C" {
extern const char eulash_tells_accesses __attribute__((weak));
}

namespace tsubu::placed {

inline bool looks_for_races() { return &eulash_tells_accesses != nullptr && simulated != nullptr; }

race_watch& races_of_job();

// The thread that runs accesses it at the line that it has told.
void tell_access(std::uint64_t address, std::uint64_t bytes, bool writes);
inline void accesses(const void* p, std::uint64_t bytes, bool writes) {
  if (looks_for_races()) tell_access(reinterpret_cast<std::uintptr_t>(p), bytes, writes);
}

// The thread that runs lets go of an object, which it does before others can get it; and has got it.
inline void lets_go(std::uint64_t object) {
  if (looks_for_races()) races_of_job().release(running->number, object);
}
inline void has_got(std::uint64_t object) {
  if (looks_for_races()) races_of_job().acquire(running->number, object);
}

// An atomic operation is an access, and ordered with all others on its object. What comes first in the memory may be
// told last: so each lets go before it is done, and gets the object before and after.
void begin_atomic(std::uint64_t address, std::uint64_t bytes, bool writes);
inline void end_atomic(std::uint64_t address) { has_got(address); }

}  // namespace tsubu::placed
