// `tsubu predict --suite`: many programs on more and more simulated PEs, strong and weak, in one go.
//
// Each run is a process of its own, as many at a time as there are cores and as memory allows. What is known is written
// to study.json after each, so that a study that was interrupted goes on where it was; a run whose program, arguments
// or machine have changed since is made again. At the end come a page and pictures.
#pragma once

#include <string>
#include <vector>

namespace tsubu::command {

struct study_job {
  std::string suite;              // a file; "": the one that comes with Tsubu
  std::string machine;            // "": cluster
  std::string pes;                // in the place of the suite's numbers
  std::string folder;             // for study.json; "": study-MACHINE
  std::string page;               // a Markdown file; "": study.md in that folder
  std::vector<std::string> only;  // applications; none: all
  int up_to = 0;                  // no more PEs than that; 0: all of the suite's numbers
  int jobs = 0;                   // at a time; 0: the cores this process may use
  double limit_s = 0;             // for each run, of processor time; 0: the usual
  double wall_limit_s = 0;        // for each run, by the clock; 0: the usual
  int memory_mib = 0;             // for all that run at a time; 0: four fifths of what is available
  unsigned long long seed = 0;
  bool quick = false;  // few PEs, and a short limit
};

// Returns the exit code.
int study(const study_job& job);

}  // namespace tsubu::command
