// `tsubu calibrate`: measures this computer, and describes it as a machine to simulate.
#pragma once

#include <string>

namespace tsubu::command {

struct calibration {
  std::string transport = "threads";  // or openmpi, mpich
  std::string file = "host-calibrated.toml";
  int pes = 2;
  int repetitions = 7;
  bool quick = false;  // a tenth of the trials
  bool force = false;  // `file` may replace one that this command has not written
};

// Returns the exit code.
int calibrate(const calibration& how);

}  // namespace tsubu::command
