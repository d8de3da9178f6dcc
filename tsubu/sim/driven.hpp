// A PE of the runtime, as the simulator drives it. These two files are all of this folder that knows what such a PE is
// made of; the engine and its parts know driven_pe.
#pragma once

#include <memory>

#include "tsubu/base/simulated_machine.hpp"

namespace tsubu::remote {
class pe;
}

namespace tsubu::sim {

std::unique_ptr<driven_pe> driven(std::unique_ptr<remote::pe> pe);

}  // namespace tsubu::sim
