// Programs that run beside each other as children of this process, each with limits of time, of memory, and of what it
// prints.
//
// Time is the processor's, so that what else runs on the computer changes nothing; there is a limit by the clock, too,
// for one that sleeps.
//
// A child ends with this process, however that ends, and with all that it has started: it leads a group of its own. It
// has its own environment and its own file for what it prints.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/base/leftovers.hpp"

namespace tsubu::command {

struct child_task {
  std::vector<std::string> words;                                // the program and its arguments
  std::vector<std::pair<std::string, std::string>> environment;  // in addition to this process's
  std::string output;                                            // a file for both its streams
  double limit_s = 0;                                            // of processor time; 0: none
  double wall_limit_s = 0;                                       // by the clock; 0: none
  std::int64_t limit_bytes = 0;                                  // of resident memory; 0: none
};

// A child that prints more is ended, a moment later.
inline constexpr std::int64_t most_output_bytes = std::int64_t{64} << 20;

struct child_end {
  enum class end { by_itself, too_late, too_late_by_the_clock, too_large, too_talkative, not_started };
  std::size_t task = 0;  // the number that start() was given
  end how = end::by_itself;
  int code = 0;                 // its exit code, or 128 and the signal that ended it
  double seconds = 0;           // of processor time
  std::int64_t most_bytes = 0;  // resident
};

class children {
 public:
  children() = default;
  // Ends those that still run.
  ~children();
  children(const children&) = delete;
  children& operator=(const children&) = delete;

  void start(std::size_t number, const child_task& what);
  std::size_t running() const { return running_.size(); }
  // Numbers of those that run, in the order of their start.
  std::vector<std::size_t> who() const;

  // Waits until one has ended. One runs at least.
  child_end next();

 private:
  struct child {
    child_task what;  // its limits
    std::size_t number;
    pid_t process;
    std::int64_t began_ns;
    child_of_process until_waited_for;
    child_end::end how = child_end::end::by_itself;
  };
  static child_end::end beyond_limits(const child& c);
  void look_at_limits();
  void wait_for_any() const;

  std::vector<child> running_;
};

}  // namespace tsubu::command
