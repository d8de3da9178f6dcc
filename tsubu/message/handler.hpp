// What a handler is, and how packets are sent to it.
//
//   struct add_to_bin {                                        // a type names the handler
//     using layout = wire::layout<std::uint32_t, long>;        // what its packets carry
//     static void call(const delivery&, std::uint32_t bin, long n);
//   };
//   endpoint.send<add_to_bin>(to, bin, n);
//
// A handler whose packets announce a bulk also has `static std::byte* place(const delivery&, values...)`,
// which checks the values and says where the bulk lands. `static constexpr bool counted = false` takes a
// handler out of quiescence: for the runtime's own control.
//
// A handler of fixed packets that can do better with many of them at a time also has
//     static void run(const delivery&, const std::byte* begin, const std::byte* end);   // of their bytes
// which is called instead, does what call() would do for each in turn, and throws nothing.
//
// A handler that jumps about in memory larger than the cache may say where: see fetch_ahead.hpp. prepares.hpp has what
// an idle PE does ahead of a message that it expects.
//
// A handler may have a type `around_run`: one lives while a run of its packets is executed, and its executed() is
// called after each of them. It may keep what is the same for all of them; then
//     static void call_in_run(const around_run&, const delivery&, values...);
// is called where call() would be, which does the same for one packet.
//
// A handler whose packets hold those of another one, and something in front, has `execute` and `place` of whole runs,
// as a wire::handler_entry has, and no loop is compiled for it.
#pragma once

#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/choose.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/handler_traits.hpp"
#include "tsubu/message/prepares.hpp"
#include "tsubu/message/run_loop.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::message {

// Naming registered<H>::entry announces H before main().
template <class H>
class registered {
  static constexpr wire::handler_entry::execute_function execute() {
    if constexpr (wraps_another<H>) {
      return &H::execute;
    } else {
      return &run_loop<H>::execute;
    }
  }
  static constexpr wire::handler_entry::place_function place() {
    if constexpr (wraps_another<H>) {
      return H::place;
    } else if constexpr (places_bulks<H>) {
      return &run_loop<H>::place;
    } else {
      return nullptr;
    }
  }

 public:
  inline static wire::handler_entry entry{
      typeid(H).name(), execute(),    H::layout::packet_bytes, place(),
      is_counted<H>(),  kind_of<H>(), words_of<H>(),           prepares<H>::functions()};
};

template <class H, class... V>
void endpoint::send(pe_id to, const V&... values) {
  using layout = typename H::layout;
  const wire::handler_entry& handler = registered<H>::entry;
  if constexpr (layout::fixed) {
    constexpr std::size_t bytes = layout::packet_bytes;
    // Whether a longer packet fits a batch depends on the job's settings.
    if (bytes <= outbox::sure_to_fit || outbox_.fits(bytes)) {
      layout::write(outbox_.append(to, handler, bytes), values...);
    } else {
      std::vector<std::byte> packet(bytes);
      layout::write(packet.data(), values...);
      outbox_.send_in_bulk(to, handler, std::move(packet));
    }
  } else {
    layout::write_variable(outbox_.scratch(), values...);
    outbox_.send_scratch(to, handler);
  }
}

// Whether packets of H fit any batch.
template <class H>
inline constexpr bool goes_straight = H::layout::fixed && H::layout::packet_bytes <= outbox::sure_to_fit;

// As send(), for a PE below this_send_bound: nothing is asked but whether the batch has place.
template <class H, class... V>
[[gnu::always_inline]] inline void send_straight(pe_id to, const V&... values) {
  using layout = typename H::layout;
  open_batch& o = this_open_batches[static_cast<std::uint32_t>(to)];
  std::byte* place = o.cursor;
  if (o.handler != &registered<H>::entry || place + layout::packet_bytes > o.limit) [[unlikely]] {
    place = this_endpoint->out().append_slowly(to, registered<H>::entry, layout::packet_bytes);
  } else {
    o.cursor = place + layout::packet_bytes;
  }
  layout::write(place, values...);
}

// As send_straight(), where `really` is all ones; where it is 0, nothing is sent. It costs the same where nobody can
// guess which (base/choose.hpp).
template <class H, class... V>
[[gnu::always_inline]] inline void send_straight_if(std::uint64_t really, pe_id to, const V&... values) {
  using layout = typename H::layout;
  std::byte unused[layout::packet_bytes];
  open_batch& o = this_open_batches[static_cast<std::uint32_t>(to)];
  std::byte* place = o.cursor;
  const auto other =
      reinterpret_cast<std::uintptr_t>(o.handler) ^ reinterpret_cast<std::uintptr_t>(&registered<H>::entry);
  // It compares addresses, since there may be no batch, and so no place.
  const std::uint64_t full =
      reinterpret_cast<std::uintptr_t>(place) + layout::packet_bytes > reinterpret_cast<std::uintptr_t>(o.limit) ? 1
                                                                                                                 : 0;
  if (((other | full) & really) != 0) [[unlikely]] {
    place = this_endpoint->out().append_slowly(to, registered<H>::entry, layout::packet_bytes);
  } else {
    o.cursor = place + (really & layout::packet_bytes);
    place = choose(really, place, &unused[0]);
  }
  layout::write(place, values...);
}

template <class H>
std::span<std::byte> endpoint::send_in_place(pe_id to, std::size_t most) {
  constexpr std::size_t bytes = H::layout::packet_bytes;
  static_assert(H::layout::fixed && bytes <= outbox::sure_to_fit);
  std::byte* const first = outbox_.append(to, registered<H>::entry, bytes);
  return {first, (1 + outbox_.append_more(to, bytes, most - 1)) * bytes};
}

template <class H, class... V>
void endpoint::send_bulk(pe_id to, transport::bulk_source source, const V&... values) {
  using layout = typename H::layout;
  static_assert(layout::fixed && places_bulks<H> && layout::packet_bytes <= outbox::sure_to_fit);
  const wire::handler_entry& handler = registered<H>::entry;
  require(!source.bytes.empty(), "a bulk of no bytes is sent");
  const outbox::bulk_head head = outbox_.start_bulk(to, handler.code, layout::packet_bytes);
  layout::write(head.packet, values...);
  outbox_.send_bulk(to, handler, head, source);
}

}  // namespace tsubu::message
