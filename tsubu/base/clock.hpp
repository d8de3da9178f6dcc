// Time: nanoseconds for people, TSC ticks for hot paths.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace tsubu {

// Nanoseconds of the steady clock; the origin is arbitrary.
inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A cheap monotonic counter of the core: TSC ticks on x86-64, nanoseconds elsewhere.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(now_ns());
#endif
}

// Ticks in a nanosecond, measured once against the steady clock (takes about 2 ms the first time).
double ticks_per_ns();

// A hint to the core that this is a spin loop.
inline void spin_pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace tsubu
