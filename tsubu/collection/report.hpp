// What a cycle has done, PE by PE, and what all of them have: for --tsubu-stats.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tsubu/collection/slice.hpp"

namespace tsubu::collection {

// Objects of a class.
struct class_account {
  std::uint32_t number = 0;  // of the class
  std::uint64_t marked = 0;
  std::uint64_t ended = 0;
  template <class A>
  void serialize(A& a) {
    a(number, marked, ended);
  }
};

// What a cycle has done on one PE.
struct cycle_report {
  std::vector<class_account> by_class;
  pause_lengths pauses;
  std::uint64_t ended_at_once = 0;  // before it, of any class
  template <class A>
  void serialize(A& a) {
    a(by_class, pauses, ended_at_once);
  }
};

// What all cycles have done on all PEs. It is on PE 0.
class collection_account {
 public:
  void cycle_begins();
  void add(const cycle_report& of_pe);
  // This cycle ended so many objects until now.
  std::uint64_t ended() const { return ended_in_cycle_; }
  const pause_lengths& pauses_of_cycle() const { return pauses_of_cycle_; }
  void looked() { ++looks_; }

  // The lines for --tsubu-stats; nothing if there was no cycle.
  std::string text() const;

 private:
  std::map<std::uint32_t, class_account> by_class_;  // marked in the last cycle, ended in all
  pause_lengths pauses_;                             // of all cycles
  pause_lengths pauses_of_cycle_;
  std::uint64_t cycles_ = 0;
  std::uint64_t looks_ = 0;
  std::uint64_t ended_in_cycle_ = 0;
  std::uint64_t ended_at_once_ = 0;
};

}  // namespace tsubu::collection
