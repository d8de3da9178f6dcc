// Short time slices for threads that share cores.
//
// A PE that waits gives its core to the next one, and a message is answered when that one has its turn. Where another
// process computes beside them, each turn of that lasts until the kernel's next tick, some milliseconds: a barrier of 8
// PEs on 2 cores then takes 4 ms, and with slices of 0.1 ms 20 us. Who has short slices gets no more of the cores, only
// sooner (Stoica and Abdel-Wahab 1995; Linux since 6.12).
#pragma once

#include <cstdint>

namespace tsubu::transport {

// While it lives, this thread, and those that it starts, have slices of so many nanoseconds, of 100,000 at least; 0: as
// they were. Does nothing on older kernels, for a thread whose policy is not an ordinary one, and where the system
// refuses. Threads and processes that were started meanwhile keep theirs.
class short_slices {
 public:
  explicit short_slices(std::int64_t ns);
  ~short_slices();
  short_slices(const short_slices&) = delete;
  short_slices& operator=(const short_slices&) = delete;

 private:
  std::int64_t before_ns_ = -1;  // -1: nothing was changed
};

// This thread's; 0: the kernel's own choice, or unknown.
std::int64_t slice_ns();

}  // namespace tsubu::transport
