// What this computer takes for a part of the program, without what other programs take of its core meanwhile.
//
// Looks at the system's clock, which is cheap. A part that took suspiciously long is compared with the processor's time
// of this thread: what the thread did not get of it, others had.
#pragma once

#include <cstdint>

namespace tsubu {

// Nanoseconds of this computer's steady clock, whatever is simulated; the origin is arbitrary.
std::int64_t host_ns();

class host_clock {
 public:
  host_clock();

  // Says that a part begins.
  void begin();
  // Nanoseconds since it began, without the looks at the clock; the next part begins. At least 0.
  std::int64_t took();

 private:
  void compare(std::int64_t now, std::int64_t processor_now);

  std::int64_t look_ns_ = INT64_MAX;  // what two looks take
  std::int64_t begin_ns_ = 0;
  std::int64_t compared_ns_ = 0;  // when both clocks were last looked at, and what the other one said
  std::int64_t compared_processor_ns_ = 0;
};

}  // namespace tsubu
