// `tsubu explore`: a whole program under many schedules, one process for each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tsubu::command {

struct exploration {
  std::uint64_t runs = 1000;
  std::uint64_t first = 1;  // seed
  std::vector<int> pes = {1, 2, 3, 4, 5, 7, 8, 13, 16, 33};
  int jobs = 0;                       // at a time; 0: as many as cores this process may use
  std::string machine;                // empty: the program's own choice
  bool faults = false;                // in each run a PE dies
  std::optional<std::string> output;  // what it has to print
  double limit_s = 3600;              // of a job's own time
  int wall_limit_s = 60;              // of this computer's
  int most_failures = 10;
  std::vector<std::string> program;
};

// Prints each failure and how to repeat it, and a summary. Returns 0, or 1 if there was any failure.
int explore(const exploration& what);

}  // namespace tsubu::command
