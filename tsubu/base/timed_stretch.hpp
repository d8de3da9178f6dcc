// The stretch of a job that a program takes its own time of, told to a machine that is simulated: so that its report
// says where the time of that stretch went, and not only that of the whole job with its beginning and its checks.
//
// It is not in simulated_machine.hpp, which all programs include, because only one that measures itself has such a
// stretch. In any other job than a simulated one nobody is told.
#pragma once

namespace tsubu {

class stretch_listener {
 public:
  // The stretch begins, or ends, on the PE that says so. Takes no time.
  virtual void timed_stretch_begins() = 0;
  virtual void timed_stretch_ends() = 0;

 protected:
  ~stretch_listener() = default;
};

// The machine that this job is simulated on; null in any job that is not simulated.
inline constinit stretch_listener* told_of_stretches = nullptr;

}  // namespace tsubu
