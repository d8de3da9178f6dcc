// What attracts some targets, gathered on one PE while a message goes through the cells there.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "apps/nbody/cell.hpp"

namespace nbody {

struct walk {
  std::vector<point> targets;
  box around;  // the targets
  double theta = 0;
  attractors found;
  std::vector<tsubu::ref<cell>> elsewhere;
  tsubu::reply_to<answer> to;
  std::int64_t unvisited = 0;  // cells that have been sent a visit and have not had it

  // Evaluates what was found, and replies.
  void finish();
};

// The walks of a PE. Visits run on the sender's stack, so mostly there is one at a time; where the stack gets deep,
// visits are queued, and other walks may begin before one has ended.
class walks {
 public:
  walk_number begin(std::vector<point> targets, tsubu::reply_to<answer> to);
  walk& operator[](walk_number number) { return all_[number]; }
  // One cell less to visit. After the last one the walk answers and ends.
  void visited(walk_number number);

 private:
  std::deque<walk> all_;
  std::vector<walk_number> free_;
};

// The walks of this PE.
walks& walks_here();

}  // namespace nbody
