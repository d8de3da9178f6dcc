// To how many PEs the running code may send without a second thought.
//
// A send has two questions before it may write its packet into the batch for a PE: does the PE exist, and go packets
// there straight; and does the code belong to nobody who has to hear of the message? One comparison answers both: a
// PE's number is below the bound only if all is simple. Two floors that do not know each other keep it so: messages say
// how many PEs there are, tasks say when the running code belongs to a group (an epoch).
#pragma once

#include <cstdint>

namespace tsubu {

struct send_bound {
  std::uint32_t now = 0;             // what a send compares with
  std::uint32_t without_groups = 0;  // the number of PEs, or 0 where packets do not go straight to them
};

// That of the PE on this thread.
inline thread_local constinit send_bound this_send_bound;

inline void set_send_bound(bool in_a_group) { this_send_bound.now = in_a_group ? 0 : this_send_bound.without_groups; }

}  // namespace tsubu
