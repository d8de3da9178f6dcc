// How the runtime's calls and replies are sent: as they are, or, by code that belongs to an epoch, with the epoch's
// name in front, so that what they cause belongs to it too.
#pragma once

#include <vector>

#include "tsubu/base/send_bound.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/messages/sent.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/in_epoch.hpp"

namespace tsubu::remote {

// A packet that is begun for `to`, and where its values go: plain, or behind the name of the epoch of the running code.
// What is deferred leaves before it.
std::byte* begin_packet(pe_id to, const wire::handler_entry& plain, const wire::handler_entry& in_epoch);
// The same for packets that may be longer than a batch, or tell their own length: their bytes are appended to what is
// returned, without a length.
std::vector<std::byte>& begin_long_packet(const wire::handler_entry& plain);
void end_long_packet(pe_id to, const wire::handler_entry& plain, const wire::handler_entry& in_epoch,
                     std::vector<std::byte>& packet);
// The head of a bulk.
struct begun_bulk {
  const wire::handler_entry& of;
  message::outbox::bulk_head head;
  std::byte* values;
};
begun_bulk begin_bulk(pe_id to, const wire::handler_entry& plain, const wire::handler_entry& in_epoch,
                      transport::bulk_source source);
void end_bulk(pe_id to, const begun_bulk& begun, transport::bulk_source source);

// Values travel to send_thoughtfully() in registers where they fit: a reference would make the other sender store its
// values, too.
template <class V>
using passed = std::conditional_t<std::is_trivially_copyable_v<V> && sizeof(V) <= 2 * sizeof(void*), V, const V&>;

// In an epoch, over a grid, packets that tell their own length, behind what is deferred, and to PEs that do not exist.
template <class H, class... V>
[[gnu::noinline]] void send_thoughtfully(pe_id to, V... values) {
  using layout = typename H::layout;
  const wire::handler_entry& plain = message::registered<H>::entry;
  const wire::handler_entry& behind_a_name = message::registered<in_epoch<H>>::entry;
  if constexpr (layout::fixed && in_epoch<H>::layout::packet_bytes <= message::outbox::sure_to_fit) {
    layout::write(begin_packet(to, plain, behind_a_name), values...);
  } else {
    std::vector<std::byte>& packet = begin_long_packet(plain);
    if constexpr (layout::fixed) {
      const std::size_t name = packet.size();
      packet.resize(name + layout::packet_bytes);
      layout::write(packet.data() + name, values...);
    } else {
      layout::write_variable(packet, values...);
    }
    end_long_packet(to, plain, behind_a_name, packet);
  }
}

// Whether somebody may wait for such a packet. A question opens a slot, which says so by itself.
template <class H>
inline constexpr bool is_awaited =
    message::kind_of<H>() != message_kind::past && message::kind_of<H>() != message_kind::create &&
    message::kind_of<H>() != message_kind::write;

// As endpoint::send(), in the epoch of the running code, if it is in one.
template <class H, class... V>
[[gnu::always_inline]] inline void send(pe_id to, const V&... values) {
  if constexpr (message::goes_straight<H> && !message::seldom<H>) {
    if (static_cast<std::uint32_t>(to) < this_send_bound.now) [[likely]] {
      if constexpr (is_awaited<H>) current_pe->replies.set_awaited_unsent(true);
      return message::send_straight<H>(to, values...);
    }
  }
  send_thoughtfully<H, passed<V>...>(to, values...);
  if constexpr (is_awaited<H>) current_pe->replies.set_awaited_unsent(true);
}

// As endpoint::send_bulk(), likewise.
template <class H, class... V>
void send_bulk(pe_id to, transport::bulk_source source, const V&... values) {
  using layout = typename H::layout;
  static_assert(layout::fixed && message::places_bulks<H> &&
                in_epoch<H>::layout::packet_bytes <= message::outbox::sure_to_fit);
  const begun_bulk begun =
      begin_bulk(to, message::registered<H>::entry, message::registered<in_epoch<H>>::entry, source);
  layout::write(begun.values, values...);
  end_bulk(to, begun, source);
}

inline bool sent::await_ready() const { return message::this_endpoint->has_credit(to_); }

}  // namespace tsubu::remote

namespace tsubu {

inline bool room_everywhere::await_ready() const { return message::this_endpoint->has_credit_everywhere(); }

}  // namespace tsubu
