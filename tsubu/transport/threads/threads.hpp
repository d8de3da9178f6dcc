// The threads transport: PEs are threads of one process.
#pragma once

#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

// Starts settings.pes threads (0: one per core this process may use), each a PE; the calling thread is PE 0.
launcher threads_launcher();

// The most PEs that one process may hold on threads.
inline constexpr int max_thread_pes = 1024;

}  // namespace tsubu::transport
