// Whether anything is left to do, asked by all PEs together, where a task of each waits for quiescence.
//
// A look: each PE gives what it has sent and executed when it is idle, and gets the sums of all, by recursive doubling.
// No PE gives anything to a look before all have given to the one before, so two looks say what two waves do
// (quiescence.hpp): if as many packets were executed by the first as were sent by the second, nothing is left. Every PE
// finds that by itself, after two ways through the job where waves with their orders take five.
//
// These are no all_reduces, whose packets are counted and whose tasks keep their PE from being idle.
//
// A wait has a few looks at most; what they do not find is left to the waves. Packets of a wait that waves have ended
// meanwhile are thrown away.
#pragma once

#include <cstdint>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

class pe;

class symmetric_termination {
 public:
  struct sums {
    std::uint64_t sent = 0, executed = 0;
  };
  // How a PE's packet names where it belongs.
  struct place {
    std::uint64_t wait = 0;  // how many had ended
    std::uint8_t look = 0;   // of this wait
    std::uint8_t step = 0;   // a round of the doubling, or one of the two below
    bool operator==(const place&) const = default;
  };
  // The PEs beyond the largest power of two have their sums added by a partner, and hear from it what came out.
  static constexpr std::uint8_t lent = 0x40, told = 0x41;

  explicit symmetric_termination(pe& owner) : pe_(owner) {}

  // Waits that have ended on this PE.
  std::uint64_t waits_ended() const { return at_.wait; }
  // One more has: by these looks, or by waves.
  void begin_next_wait();
  // A look would begin if the PE were idle.
  bool may_begin() const { return !under_way_ && !found_ && at_.look < most_looks; }
  void begin(sums mine);
  // Nothing is left to do.
  bool found() const { return found_; }

  // By the handler.
  void arrived(pe_id from, place at, sums theirs);

 private:
  // Packets that were under way at the first look have arrived by the second, more often than not.
  static constexpr std::uint8_t most_looks = 4;
  struct kept {
    place at;
    sums theirs;
  };

  pe_id partner(std::uint8_t step) const;
  void begin_round(std::uint8_t round);
  void send(std::uint8_t step);
  void proceed();
  void finish();

  pe& pe_;
  place at_;  // of the packet that is waited for
  bool under_way_ = false;
  bool found_ = false;
  std::uint8_t looks_before_ = most_looks;  // that any PE can have begun in the wait before
  sums sums_;
  std::uint64_t executed_before_ = 0;  // by the look before
  std::vector<kept> kept_;             // what has come early
};

}  // namespace tsubu::remote
