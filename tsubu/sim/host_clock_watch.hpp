// Warns when a program looks at this computer's clock while its time is simulated: what it makes of that differs from
// run to run, and has nothing to do with the simulated machine.
//
// The processor is told to trap the instruction that reads its counter; the system's clocks are read with it, too, so
// that no way to look escapes (Linux on x86-64: prctl PR_SET_TSC; elsewhere, and where the system's clock is another
// one, nothing is noticed). The first look is told, with the PE; then nothing is trapped any more.
//
// A process that the program starts meanwhile inherits the trap, and not what handles it: it dies when it looks at a
// clock. So this is for those who ask for it.
#pragma once

namespace tsubu::sim {

// Watches this thread, and those it starts, from its making to its end. One at a time.
class host_clock_watch {
 public:
  host_clock_watch();
  ~host_clock_watch();
  host_clock_watch(const host_clock_watch&) = delete;
  host_clock_watch& operator=(const host_clock_watch&) = delete;
};

}  // namespace tsubu::sim
