// Which transport a job uses.
#pragma once

#include <string>
#include <string_view>

#include "tsubu/base/settings.hpp"
#include "tsubu/run/plugins.hpp"
#include "tsubu/transport/calls.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::run_detail {

// The plug-in that the program has linked in, if it has; else by the option, else by what the MPI launchers leave in
// the environment, else threads. A plug-in that is not there ends the process with one line and exit code 69.
transport::launcher choose_transport(const settings& options);

// That of the MPI of the program that this job is inside of, as its plug-in is called. What the options ask for must
// fit it. Trouble ends the job, as above, and so does the world of an MPI that another one's launcher has started.
const loaded_plugin& choose_inside(const std::string& mpi, const settings& options);
void check_fits_inside(const settings& options);

// What tells the calls of the library below that transport. Null if it has none, and before one is chosen.
transport::calls_of_library calls_of_chosen();

// Whether the options ask for a simulated machine. What is for one only, and given to another job, ends the process.
bool is_simulated(const settings& options);

// Before run(): the transport of this process, whatever the options say. For tests and tools that bring one.
void use_launcher(transport::launcher launch);

// How many processes a launcher has started, and which of them this is; 1 and 0 without a launcher. 0 processes, or
// number 0, if it does not say.
int launched_ranks();
int launched_rank();

}  // namespace tsubu::run_detail
