// `co_await collect()`: objects of collected classes that nobody can reach any more end, cycles across PEs included.
// The program runs on beside it.
//
// Any task of any PE may call it, alone; calls that come while a collection runs share the next one.
#pragma once

#include "tsubu/collection/collected_object.hpp"

namespace tsubu {

// What a collection has done, on all PEs.
struct collected {
  std::uint64_t ended = 0;       // objects
  int looks = 0;                 // how often all PEs were asked whether something has turned out to be held meanwhile
  std::int64_t pause_99_ns = 0;  // 99 % of the times that a PE spent on it without a break were up to that long
  std::int64_t longest_pause_ns = 0;  // and none longer than that
};

// Ends the objects of collected classes that were unreachable when it was called, wherever they are, unless a weak name
// of them is used meanwhile; others that have become so since may go with them.
// Local; blocks until they have ended; throws nothing.
task<collected> collect();

}  // namespace tsubu
