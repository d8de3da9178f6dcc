// A job on a simulated machine, as the settings ask for it.
#pragma once

#include "tsubu/base/settings.hpp"
#include "tsubu/sim/engine.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::run_detail {

// Runs it in this thread; its exit code. What the settings cannot have ends the process with one line and exit code 2.
// With a seed, sizes that `options` leaves open are set as the seed varies them, before any PE is made.
int simulate(settings& options, transport::launch_settings how, const sim::pe_maker& start_pe);

}  // namespace tsubu::run_detail
