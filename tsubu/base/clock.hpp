// Time: nanoseconds for people, TSC ticks for hot paths.
#pragma once

#include <chrono>
#include <cstdint>

namespace tsubu {

// The clock of a simulated job. All of its PEs run in one thread; `ps` is the time of the one whose turn it is.
struct simulated_clock {
  std::int64_t ps = 0;         // picoseconds since the job began
  std::int64_t tick_ps = 1;    // a clock of the machine's processors
  std::int64_t work_ps = 1;    // for a clock of work(); 0: work is measured
  std::int64_t worked_ps = 0;  // by work(), since its driver last looked
  // Before each look: adds what has been computed until now, where work is measured; else what the look takes, if there
  // are very many, so that a program that waits by looking again and again gets on.
  void (*catch_up)(void* driver) = nullptr;
  void* driver = nullptr;

  std::int64_t now_ps() const {
    if (catch_up != nullptr) catch_up(driver);
    return ps;
  }
};
// Null in any job that is not simulated.
inline constinit simulated_clock* simulated = nullptr;

// The program says how many clocks of the simulated machine's processors what it does here would take: in a simulated
// job the PE's time goes on by them, in any other this does nothing. clocks: at least 0; parts of clocks count.
inline void work(double clocks) {
  if (simulated == nullptr) [[likely]]
    return;
  const auto ps = static_cast<std::int64_t>(clocks * static_cast<double>(simulated->work_ps));
  simulated->ps += ps;
  simulated->worked_ps += ps;
}

// Nanoseconds of the steady clock; the origin is arbitrary. In a simulated job, of its own time.
inline std::int64_t now_ns() {
  if (simulated != nullptr) [[unlikely]]
    return simulated->now_ps() / 1000;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A cheap monotonic counter of the core: TSC ticks on x86-64, nanoseconds elsewhere. In a simulated job, the
// clocks of the machine's processors.
inline std::uint64_t ticks() {
  if (simulated != nullptr) [[unlikely]]
    return static_cast<std::uint64_t>(simulated->now_ps() / simulated->tick_ps);
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // <x86intrin.h> would cost every program 0.4 s of compile time
#else
  return static_cast<std::uint64_t>(now_ns());
#endif
}

// Ticks in a nanosecond, measured once against the steady clock (takes about 2 ms the first time).
double ticks_per_ns();

// A hint to the core that this is a spin loop.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace tsubu
