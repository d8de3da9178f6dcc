// `tsubu sim`: a program on a simulated machine.
#pragma once

#include <string>
#include <vector>

namespace tsubu::command {

// What a simulated job is started with; what is empty or 0 is left to the job.
struct simulated_job {
  std::string machine;
  std::string work;
  std::string trace;
  std::string report;
  int pes = 0;
  unsigned long long seed = 0;
  std::vector<std::string> program;  // and its arguments
};

// Puts the job into the environment of this process, for the program that is started next: its own options still win.
void set_environment(const simulated_job& job);

// Ends the process with one line if there is no such machine, or if it cannot have so many PEs.
void check_machine(const std::string& name, int pes);

// Becomes the program, which prints a table of where its time went behind its own output.
[[noreturn]] void simulate(simulated_job job);

}  // namespace tsubu::command
