// PEs on the threads of one process: see shared/end.hpp for how they meet. Where PEs are more than cores, those of a
// core take turns on one thread (shared/turns.hpp), which changes PEs in nanoseconds; the system takes two
// microseconds.
#include "tsubu/transport/threads/threads.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/shared/turns.hpp"
#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/threads/short_slices.hpp"

namespace tsubu::transport {
namespace {

// How many threads carry the PEs. One that looks for races between PEs sees them between threads only.
int threads_for(int pes, const launch_settings& settings, const job_body& body) {
  if (body.time_multiplexed == nullptr) return pes;
  if (settings.threads != 0) return std::min(settings.threads, pes);
  return sanitizer::has_thread() ? pes : std::min(usable_cores(), pes);
}

// The threads of a job, and what they share.
class job_threads {
 public:
  job_threads(const launch_settings& settings, int pes, job_body body, void* argument)
      : shape_(settings.shape_for(pes)),
        threads_(threads_for(pes, settings, body)),
        body_(body),
        argument_(argument),
        shared_({.pes = pes,
                 .batch_bytes = settings.batch_bytes_for(pes),
                 .oversubscribed = threads_ > usable_cores(),  // counted before any thread is bound to one of them
                 .shares_cores = pes > usable_cores(),
                 .ending = {std::_Exit, [](const char* reason) { fail(reason); }}}),
        binding_(settings.bind ? threads_ : 0),
        slice_ns_(shared_.facts().oversubscribed ? std::int64_t{settings.slice_us} * 1000 : 0),
        codes_(static_cast<std::size_t>(threads_), 0) {}

  int run() {
    // This thread is the program's again behind the job.
    const affinity_kept of_this_thread;
    const short_slices when_oversubscribed(slice_ns_);
    std::vector<std::thread> others;
    try {
      for (int thread = 1; thread < threads_; ++thread) others.emplace_back([this, thread] { run_thread(thread); });
    } catch (const std::system_error& e) {
      end_job(exit_code::unavailable, "tsubu: no thread for PE " + std::to_string(first_pe(others.size() + 1)) +
                                          " of " + std::to_string(shared_.pe_count()) + ": " + e.what());
    }
    run_thread(0);
    for (auto& t : others) t.join();
    return *std::max_element(codes_.begin(), codes_.end());
  }

 private:
  // The PEs of a thread follow one another.
  pe_id first_pe(std::size_t thread) const {
    return static_cast<pe_id>(thread * shared_.pe_count() / static_cast<std::size_t>(threads_));
  }

  void run_thread(int number) {
    const auto thread = static_cast<std::size_t>(number);
    const pe_id first = first_pe(thread), count = first_pe(thread + 1) - first;
    binding_.bind_this_thread(number);
    codes_[thread] =
        body_.time_multiplexed != nullptr && count > 1 ? run_time_multiplexed(first, count) : run_alone(first);
  }

  // No program begins before all PEs are there: one that cannot be had ends the job before anything was done. And
  // another PE may still touch an end's public part and batches until it, too, has ended.
  int run_alone(pe_id pe) {
    shared_end end(shared_, pe, shape_);
    shared_.everyone().arrive_and_wait();
    const int code = body_.each(end, argument_);
    shared_.everyone().arrive_and_wait();
    return code;
  }
  int run_time_multiplexed(pe_id first, pe_id count) {
    time_multiplexed_ends ends(shared_, first, count, shape_);
    const int code = body_.time_multiplexed(ends, argument_);
    ends.stay_for_others();
    return code;
  }

  // Constant after construction.
  const grid_shape shape_;
  const int threads_;
  const job_body body_;
  void* const argument_;

  shared_group shared_;
  const core_binding binding_;
  const std::int64_t slice_ns_;
  std::vector<int> codes_;  // by thread
};

int launch(const launch_settings& settings, job_body body, void* argument) {
  const int pes = settings.pes > 0 ? settings.pes : usable_cores();
  if (pes > max_thread_pes) {
    end_job(exit_code::usage, "tsubu: " + std::to_string(pes) +
                                  " PEs asked for, but the threads transport holds at most " +
                                  std::to_string(max_thread_pes));
  }
  return job_threads(settings, pes, body, argument).run();
}

}  // namespace

launcher threads_launcher() { return launch; }

}  // namespace tsubu::transport
