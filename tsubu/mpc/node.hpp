// The node and its threads: where this runs, giving way, starting and ending the job.
#pragma once

#include <cstddef>

#include "tsubu/task/fiber.hpp"

namespace tsubu::mpc {

// The number of this node and how many there are. Ints of their own thread, so that printf takes them.
inline thread_local constinit int myNode = 0;
// How many nodes the job has.
inline thread_local constinit int numNode = 1;

// The stack of mpc_main. Memory that is not touched is not used.
inline constexpr std::size_t main_stack_bytes = 1024 * 1024;
// The stack of an invoked function.
inline constexpr std::size_t thread_stack_bytes = 256 * 1024;

// Lets the other ready threads of this node run.
// Local; lets others run and does not block; outside a fiber it ends the job.
inline void yield() { fiber_yield(); }

// Ends the job with this exit code (its low 8 bits), from any thread of any node: node 0 sends the exit message to
// all and waits for their answers. Threads that are ready go on to their next wait; those that wait are abandoned.
// Local; never returns, so it does not block; throws nothing.
[[noreturn]] void mpc_exit(int code);

// Runs the job: mpc_main_function(argc, argv), without Tsubu's own arguments, on node 0, while the others answer
// messages. Ends when it has returned and all that it caused has run. Returns the exit code.
// Local; blocks the process until the job has ended; returns its exit code, or ends the process with it.
int start(int argc, char** argv, int (*mpc_main_function)(int, char**));

// MTTL's scheduler, as far as its figure 3 shows it.
// Local; resched() lets others run and does not block; throws nothing.
struct Thread {
  class ready_threads {
   public:
    // Positive when another thread is ready; not their number.
    operator int() const { return this_task_context->empty() ? 0 : 1; }
  };
  static constexpr ready_threads numReadyThreads{};
  // As yield(); the argument means nothing.
  static void resched(int) { yield(); }
};

}  // namespace tsubu::mpc
