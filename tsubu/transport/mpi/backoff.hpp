// How a PE with nothing to do waits when MPI is its only source of news.
//
// MPI offers no wait with a time limit, and its blocking calls spin. So the best there is: look,
// then give the core away, for a longer time the longer nothing comes. With a core for every rank
// of the node the PE yields for long before it naps; with fewer, soon, since the core it spins on is
// the one that its peers need.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace tsubu::transport::mpi {

// Does this node have fewer cores for the job than PEs of it? Collective.
bool more_pes_than_cores(int pes_per_rank);

class backoff {
 public:
  explicit backoff(bool oversubscribed) : yields_(oversubscribed ? 50 : 5000) {}

  // News came: the next rest is a short one.
  void reset() { rounds_ = 0; }

  // What to do next: 0 is to yield, else so long a nap.
  std::int64_t next_us();

  // Yields, or naps for at most `limit_us` microseconds.
  void once(std::int64_t limit_us);

 private:
  static constexpr int first_nap_us = 50;
  static constexpr int longest_nap_us = 1000;

  int yields_;  // before the first nap
  int rounds_ = 0;
};

}  // namespace tsubu::transport::mpi
