// What the parts of an exchange take on the machine of the job, as far as that is known before it has been tried: of a
// simulated machine by its file, of this computer by what `tsubu calibrate` has measured.
#pragma once

#include <string>

namespace tsubu::data {

// Seconds. Those of a PE's own time can be added up; travels as its bytes.
struct machine_figures {
  double send = 2e-9, take = 2e-9;                // a message of an element among many: at its sender, at its receiver
  double gap = 0;                                 // between two of them in the network
  double write_send = 60e-9, write_take = 60e-9;  // what goes by itself, beside its bytes: a write, a notification
  double byte = 0.2e-9;                           // of a write
  double latency = 100e-9;                        // of what meets nobody, one way
  double read = 8e-9, serve = 4e-9;               // a read of an element: at the reader, at the PE that is read
  double clock = 0.4e-9;
};

// Where a job's figures come from: whose they are, and they. Not all jobs know.
struct known_figures {
  std::string machine = "a computer that was not calibrated";
  machine_figures figures;
};
using figures_source = known_figures (*)(const std::string& machine, const std::string& folder);

}  // namespace tsubu::data
