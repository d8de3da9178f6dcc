// The stretch of a job that the program takes its own time of: what the PEs and links did in it, and how long it was.
//
// A program that measures itself does not mean its beginning and its checks, so where its time went must not be that of
// the whole job either. The stretch begins when the first PE says so and is over when as many have said that it ends;
// a program may have several, which add up. PEs are not all at the same time when one of them speaks, but no further
// apart than a message takes at least: by so much a stretch is blurred.
#pragma once

#include <cstdint>
#include <vector>

#include "tsubu/sim/account.hpp"

namespace tsubu::sim {

class timed_stretch {
 public:
  // What the job has done so far, taken when a stretch begins or is over.
  struct state {
    std::vector<account> of_pes;
    std::vector<std::int64_t> links_taken_ps;
  };

  // A PE says so at its time. True: the caller gives the state then, by opened() or closed().
  bool begins(std::int64_t now_ps);
  bool ends(std::int64_t now_ps);
  void opened(state at) { before_ = std::move(at); }
  void closed(const state& at);

  bool there() const { return whole_ps_ > 0; }
  std::int64_t time_ps() const { return whole_ps_; }
  // Idle is what is left of the time.
  account of(std::size_t pe) const;
  const std::vector<std::int64_t>& links_taken_ps() const { return sum_.links_taken_ps; }

 private:
  int open_ = 0;  // PEs that have begun it and not ended it
  std::int64_t began_ps_ = 0, last_ps_ = 0, whole_ps_ = 0;
  state before_, sum_;
};

}  // namespace tsubu::sim
