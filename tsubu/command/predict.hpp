// `tsubu predict`: how a program's time goes on as a simulated machine gets more PEs.
#pragma once

#include <string>
#include <vector>

#include "tsubu/command/simulate.hpp"

namespace tsubu::command {

struct prediction_job {
  simulated_job each;
  std::string pes;     // "1,2,4,...,4096"
  std::string folder;  // for the files; empty: none are written
  std::string field;   // of the program's JSON line, for the time; empty: that of the whole job
  bool json = false;   // print the file instead of the table
  bool weak = false;   // the program's work grows with its PEs
};

// Returns the exit code.
int predict(const prediction_job& job);

}  // namespace tsubu::command
