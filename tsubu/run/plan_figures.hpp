// What an exchange takes on a machine, from the machine's file.
#pragma once

#include <string>

#include "tsubu/data/plan/machine_figures.hpp"

namespace tsubu::run_detail {

// "host", which `tsubu calibrate` writes, need not be there: then the figures are made up. A simulated machine's file
// is.
data::known_figures figures_for_plans(const std::string& machine, const std::string& folder);

}  // namespace tsubu::run_detail
