// PEs that take turns on one thread: where a job has more PEs than cores, the system would take a hundred times as long
// to change from one to the next.
#pragma once

#include <memory>
#include <span>

#include "tsubu/remote/pe.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::remote {

// pe::run_to_end() of all of them, and what they share. `entered`: called whenever a PE's turn begins. Returns the exit
// code of the job. None of the PEs has the thread then.
int run_time_multiplexed(std::span<const std::unique_ptr<pe>> pes, transport::shared_thread& thread,
                         void (*entered)(pe&));

}  // namespace tsubu::remote
