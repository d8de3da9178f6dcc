// Time: nanoseconds for people, TSC ticks for hot paths.
#pragma once

#include <chrono>
#include <cstdint>

#include "tsubu/base/simulated_machine.hpp"

namespace tsubu {

// The program says how many clocks of the simulated machine's processors what it does here would take: in a simulated
// job the PE's time goes on by them, in any other this does nothing. clocks: at least 0; parts of clocks count.
// Local; does not block; throws nothing.
inline void work(double clocks) {
  if (simulated != nullptr) [[unlikely]]
    simulated->work(clocks);
}

// What now_ns() and ticks() return in a simulated job: apart from them, so that each look at the clock stays small.
std::int64_t simulated_now_ns();
std::uint64_t simulated_ticks();

// Nanoseconds of the steady clock; the origin is arbitrary. In a simulated job, of its own time.
// Local; does not block; throws nothing.
inline std::int64_t now_ns() {
  if (simulated != nullptr) [[unlikely]]
    return simulated_now_ns();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A cheap monotonic counter of the core: TSC ticks on x86-64, nanoseconds elsewhere. In a simulated job, the
// clocks of the machine's processors.
// Local; does not block; throws nothing.
inline std::uint64_t ticks() {
  if (simulated != nullptr) [[unlikely]]
    return simulated_ticks();
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // <x86intrin.h> would cost every program 0.4 s of compile time
#else
  return static_cast<std::uint64_t>(now_ns());
#endif
}

// Ticks in a nanosecond, measured once against the steady clock: from when the program was loaded to the first call.
// Local; holds the thread up if that is within a millisecond of it and does not block a task; throws nothing.
double ticks_per_ns();

// A hint to the core that this is a spin loop.
// Local; does not block; throws nothing.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace tsubu
