// What is sent in an epoch: a packet of another handler, with the epoch's name in front, so that what it causes belongs
// to the epoch, too.
//
// Such packets have handlers of their own, which call those of the packets within. Nothing else is compiled for them:
// neither a second loop over packets nor a second way to write one.
#pragma once

#include <cstddef>

#include "tsubu/message/handler.hpp"
#include "tsubu/remote/termination/epochs.hpp"

namespace tsubu::remote {

// Runs of packets that have an epoch's name in front, `outer`'s; within are packets of `inner`.
std::size_t execute_in_epoch(const wire::run& r, const wire::handler_entry& outer, const wire::handler_entry& inner);
std::byte* place_in_epoch(const wire::run& r, const wire::handler_entry& inner);

// H in an epoch.
template <class H>
struct in_epoch {
  struct layout {
    static constexpr bool fixed = H::layout::fixed;
    static constexpr std::size_t values = 1 + H::layout::values;
    static constexpr std::size_t packet_bytes = fixed ? sizeof(epoch_id) + H::layout::packet_bytes : 0;
  };
  static constexpr bool counted = message::is_counted<H>();
  static std::size_t execute(const wire::run& r) {
    return execute_in_epoch(r, message::registered<in_epoch>::entry, message::registered<H>::entry);
  }
  static std::byte* place_bulk(const wire::run& r) { return place_in_epoch(r, message::registered<H>::entry); }
  static constexpr wire::handler_entry::place_function place = message::places_bulks<H> ? &place_bulk : nullptr;
};

}  // namespace tsubu::remote
