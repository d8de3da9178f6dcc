// What the library does, step by step, for tests and for the curious.
#pragma once

#include <atomic>

namespace tsubu::mpc {

enum class trace_step {
  // A remote invocation, in the numbers of the paper's figure 4.
  store_control = 1,  // caller: type, node, function and arguments are laid out
  send_control,       // caller: sent; it now reads the Sync and blocks
  receive,            // callee: its handler has the message
  dispatch,           // callee: a thread is made and runs the function
  send_result,        // callee
  write_sync,         // caller: the handler writes the result into the Sync
  resume,             // caller: the thread goes on with the value
  // The life of a job.
  main_started,   // node 0 only
  serving,        // the other nodes
  exit_sent,      // mpc_exit(), or the end of mpc_main
  exit_received,  // by each node
};

// node: where it happens. other: the other node concerned; -1 if there is none.
using trace_function = void (*)(trace_step step, int node, int other);

// Called at each step, on every node of this process, by its own thread. Null: nobody. Set it before the job starts.
inline std::atomic<trace_function> trace_hook{nullptr};

inline void trace(trace_step step, int node, int other) {
  if (const trace_function hook = trace_hook.load(std::memory_order_relaxed)) [[unlikely]]
    hook(step, node, other);
}

}  // namespace tsubu::mpc
