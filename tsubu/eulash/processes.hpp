// EULASH's processes and threads: a process is a PE, a thread is a task of it. tsubu/eulash.hpp has them, and the data.
#pragma once

#include <utility>

#include "tsubu/base/memory_access.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/yield.hpp"

namespace eulash {

// From now on this process runs under the kernel, whose memory is virtual: on a simulated machine with a table [kernel]
// forks, switches and addresses take what it says (docs/machines.md). In any other job it does nothing.
// Local; does not block; throws nothing.
inline void begin_kernel() { tsubu::run_under_kernel(); }

// The number of the process that runs this.
// Local; does not block; outside a job it ends the process.
inline tsubu::pe_id this_process() { return tsubu::this_pe(); }
// How many there are.
// Local; does not block; outside a job it ends the process.
inline tsubu::pe_id process_count() { return tsubu::pe_count(); }

// Runs F there as a new thread: the future is its result, and awaiting it joins. What F throws is thrown then.
// Local; does not block, awaiting the future does; a process that is not there ends the job.
template <auto F, class... A>
auto fork_process(tsubu::pe_id process, A&&... arguments) {
  tsubu::call_kernel();
  return tsubu::at(process).future<F>(std::forward<A>(arguments)...);
}

// Starts the work, which runs until it first waits; then its maker goes on. The future is as above.
// Local; does not block, awaiting the future does; what the thread throws is thrown there.
template <class T>
tsubu::future<T> fork_thread(tsubu::task<T> thread) {
  tsubu::call_kernel();
  return tsubu::start(std::move(thread));
}

// The other threads of this process that are ready run before this one goes on.
// Local; lets others run and does not block; throws nothing.
inline auto switch_thread() {
  tsubu::call_kernel();
  return tsubu::yield();
}

}  // namespace eulash
