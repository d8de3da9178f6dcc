// The threads transport: PEs run on the threads of one process.
#pragma once

#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

// Starts settings.pes PEs (0: one per core this process may use) on settings.threads threads; PE 0 is on this one.
launcher threads_launcher();

// The most PEs that one process may hold on threads.
inline constexpr int max_thread_pes = 1024;

}  // namespace tsubu::transport
