// Which simulated PE has the next turn: the one whose time is least, and of these the one with the least number. So no
// two turns are equal, and their order does not depend on the queue.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::sim {

struct turn {
  std::int64_t ps;
  pe_id pe;
  std::uint64_t version;  // it stands while this is its PE's

  bool operator>(const turn& other) const { return ps != other.ps ? ps > other.ps : pe > other.pe; }
};

// Each PE has one turn that stands, or none.
class turn_queue {
 public:
  explicit turn_queue(int pes) : versions_(static_cast<std::size_t>(pes)) {}

  // PE's turn is then; one that it was given before no longer stands.
  void give(pe_id pe, std::int64_t ps) { turns_.push({ps, pe, ++version(pe)}); }
  // The least of the turns that stand, which stays in the queue; null if there is none.
  const turn* next() {
    for (; !turns_.empty(); turns_.pop()) {
      if (version(turns_.top().pe) == turns_.top().version) return &turns_.top();
    }
    return nullptr;
  }
  // Takes what next() has returned out of the queue.
  turn take() {
    const turn first = turns_.top();
    turns_.pop();
    return first;
  }

 private:
  std::uint64_t& version(pe_id pe) { return versions_[static_cast<std::size_t>(pe)]; }

  std::priority_queue<turn, std::vector<turn>, std::greater<>> turns_;
  std::vector<std::uint64_t> versions_;  // by PE: that of its last turn
};

}  // namespace tsubu::sim
