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

// Messages that are deferred for a moment, and go before whatever else their PE sends.
class sent_first {
 public:
  virtual void send_all() = 0;

 protected:
  ~sent_first() = default;
};

// Those of the PE on this thread; null where there are none. The bound is 0 while there are, so that no send overlooks
// them. None are left when a step of the PE ends.
inline thread_local constinit sent_first* this_sent_first = nullptr;

inline void keep_as_first(sent_first& kept) {
  this_sent_first = &kept;
  this_send_bound = {};
}
// There are none any more, in a job of so many PEs to which packets go straight.
inline void none_is_first(std::uint32_t pes, bool in_a_group) {
  this_sent_first = nullptr;
  this_send_bound.without_groups = pes;
  set_send_bound(in_a_group);
}
inline void send_the_first() {
  if (this_sent_first != nullptr) [[unlikely]]
    this_sent_first->send_all();
}

}  // namespace tsubu
