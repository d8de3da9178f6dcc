// What a seed varies in a simulated job, within what every transport and scheduler may do: how late each message is,
// which PEs are slow and when one stalls, the order of ready tasks, and the sizes at which things are cut and sent.
//
// Every option is drawn anew for each seed ("swarm testing", Groce et al. 2012), and most delays are short and some
// very long: uniform ones hardly ever find what is wrong with a protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tsubu/base/random.hpp"
#include "tsubu/base/types.hpp"

namespace tsubu::sim {

class schedule {
 public:
  // latency_ps: what a message takes at least on the machine; delays are drawn in proportion to it.
  schedule(std::uint64_t seed, int pes, std::int64_t latency_ps);

  // Picoseconds by which the next message comes late.
  std::int64_t delay();
  // Picoseconds that PE's turn takes beyond the `took_ps` that it took, stalls included.
  std::int64_t extra(pe_id pe, std::int64_t took_ps);
  // The seed of the order in which a PE's ready tasks run; none: they run in the order of their coming.
  std::optional<std::uint64_t> shuffle_seed(pe_id pe) const;

  // What is varied, in words.
  std::string describe() const;

 private:
  enum class lateness { none, even, heavy_tail, bursts };

  random_source random_;
  std::int64_t latency_ps_;
  lateness lateness_;
  std::int64_t longest_ps_;      // of most delays
  std::vector<int> slow_;        // by PE: times as long
  std::uint32_t stalls_one_in_;  // turns; 0: never
  bool shuffles_;                // ready tasks
  std::uint64_t shuffle_seed_;
  int burst_left_ = 0;
};

// The sizes of a job, as a seed varies them; 0 stays the job's own choice.
struct varied_sizes {
  std::size_t batch_bytes = 0;
  std::size_t least_batch_bytes = 0;
  double oldest_us = 0;
  int hops = 0;
  pe_id row = 0;  // of the grid
};
varied_sizes vary_sizes(std::uint64_t seed);

}  // namespace tsubu::sim
