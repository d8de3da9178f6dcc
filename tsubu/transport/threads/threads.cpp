// PEs as threads: see shared/end.hpp for how they meet.
#include "tsubu/transport/threads/threads.hpp"

#include <cstdlib>
#include <system_error>
#include <thread>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/threads/cores.hpp"

namespace tsubu::transport {
namespace {

int launch(const launch_settings& settings, pe_main body, void* argument) {
  const int pes = settings.pes > 0 ? settings.pes : usable_cores();
  if (pes > max_thread_pes) {
    end_job(exit_code::usage, "tsubu: " + std::to_string(pes) +
                                  " PEs asked for, but the threads transport holds at most " +
                                  std::to_string(max_thread_pes));
  }
  shared_group shared({.pes = pes,
                       .batch_bytes = settings.batch_bytes_for(pes),
                       .crowded = pes > usable_cores(),  // counted before any thread is bound to one of them
                       .ending = {std::_Exit, [](const char* reason) { fail(reason); }}});
  const core_binding binding(settings.bind ? pes : 0);
  std::vector<int> codes(static_cast<std::size_t>(pes), 0);
  auto pe_thread = [&](pe_id pe) {
    binding.bind_this_thread(pe);
    shared_end end(shared, pe, settings.hops_for(pes));
    // No program begins before all PEs are there: one that cannot be had ends the job before anything was done.
    shared.everyone().arrive_and_wait();
    codes[static_cast<std::size_t>(pe)] = body(end, argument);
    // Another PE may still touch this end's public part and batches until it, too, has ended.
    shared.everyone().arrive_and_wait();
  };
  std::vector<std::thread> threads;
  try {
    for (pe_id pe = 1; pe < pes; ++pe) threads.emplace_back(pe_thread, pe);
  } catch (const std::system_error& e) {
    end_job(exit_code::unavailable, "tsubu: no thread for PE " + std::to_string(threads.size() + 1) + " of " +
                                        std::to_string(pes) + ": " + e.what());
  }
  pe_thread(0);
  for (auto& t : threads) t.join();
  int code = 0;
  for (int c : codes) code = c > code ? c : code;
  return code;
}

}  // namespace

launcher threads_launcher() { return launch; }

}  // namespace tsubu::transport
