// What a PE has sent and not yet let go: a batch for each link, filled packet by packet.
//
// A message of a few bytes costs far more to move than to write. So packets are gathered, and a batch leaves when it is
// full, when its PE has nothing else to do, when it gets old, or before a bulk, which must not overtake it. It leaves
// through the credit window. append() is what a send costs in a crowd: a comparison of the handler, one with the
// batch's end, and a store.
//
// What does not fit a batch leaves as a bulk; what is for no neighbour gets a tag, see batch_format.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/base/sparse_array.hpp"
#include "tsubu/message/credit_window.hpp"
#include "tsubu/message/link_map.hpp"
#include "tsubu/transport/transport.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

class ledger;
class tuning;

namespace format {
enum tag_kind : std::uint32_t;  // see batch_format.hpp
}

// Why a batch leaves.
enum class flush_reason { full, idle, old, order };

// The batch that is being filled for a link, if there is one: run <= cursor <= limit then, and the open run's header
// stands at `run` and is written when the run is closed.
struct alignas(64) open_batch {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  const wire::handler_entry* handler = nullptr;  // of the open run, if that is straight
  std::byte* run = nullptr;
  transport::batch* batch = nullptr;
  const wire::handler_entry* open = nullptr;  // of the open run
  std::uint32_t variable_packets = 0;         // in the open run, if its packets tell their own length
  format::tag_kind kind{};                    // of the open run; at first straight
  bool dirty = false;                         // its link is in the outbox's list
};
static_assert(sizeof(open_batch) == 64);

class outbox {
 public:
  outbox(transport::transport& below, const limits& most);
  outbox(const outbox&) = delete;
  outbox& operator=(const outbox&) = delete;
  ~outbox();

  // Where it counts what is sent, and others what is executed.
  ledger& count() { return *count_; }
  const ledger& count() const { return *count_; }

  const link_map& links() const { return links_; }
  credit_window& window() { return window_; }
  const credit_window& window() const { return window_; }

  // So many bytes fit a batch of any job, whatever its settings.
  static constexpr std::size_t sure_to_fit = 240;
  // The longest packet that fits a batch of this one.
  std::size_t packet_limit() const { return packet_limit_; }
  bool fits(std::size_t bytes) const { return bytes <= packet_limit_; }

  // Place for a packet of `bytes` to `to`, at the end of a run for `handler`.
  [[gnu::always_inline]] std::byte* append(pe_id to, const wire::handler_entry& handler, std::size_t bytes) {
    if (!links_.straight_to(to)) [[unlikely]]
      return append_towards(to, handler, bytes);
    return append_on(static_cast<int>(to), straight_[static_cast<std::uint32_t>(to)], handler, bytes);
  }
  // Behind a packet of `bytes` that append() has just given place: as many more as the batch has place for, up to
  // `most`. Returns how many. None on a grid, where a packet may have a tag in front.
  std::size_t append_more(pe_id to, std::size_t bytes, std::size_t most) {
    if (links_.routed()) return 0;
    open_batch& o = straight_[static_cast<std::uint32_t>(to)];
    const std::size_t more = std::min(most, static_cast<std::size_t>(o.limit - o.cursor) / bytes);
    o.cursor += more * bytes;
    return more;
  }

  // The same on a link, for an open run of another handler, or one whose batch has no more place.
  std::byte* append_slowly(int link, const wire::handler_entry& handler, std::size_t bytes);

  // The open batches by PE, where packets go straight to each; else null.
  open_batch* straight() { return straight_.get(); }

  // For packets that tell their own length: the values are written to scratch(), without the length, and then sent.
  std::vector<std::byte>& scratch() {
    scratch_.clear();
    return scratch_;
  }
  void send_scratch(pe_id to, const wire::handler_entry& handler);
  // A packet that fits no batch.
  void send_in_bulk(pe_id to, const wire::handler_entry& handler, std::vector<std::byte> packet);

  // The head of a bulk, with place for one packet.
  struct bulk_head {
    int link;
    transport::batch* batch;
    std::byte* packet;
    std::size_t bytes;  // of the packet
  };
  // For a packet of `bytes` bytes. What was sent to that link before leaves first.
  bulk_head start_bulk(pe_id to, std::uint32_t handler, std::size_t bytes);
  bulk_head start_bulk(int link, format::tag_kind kind, std::uint32_t handler, std::size_t bytes);
  void post_bulk(const bulk_head& head, transport::bulk_source source);
  // The same for a packet of this PE, which is counted.
  void send_bulk(pe_id to, const wire::handler_entry& handler, const bulk_head& head, transport::bulk_source source);

  // Place for a tag and a packet, `bytes` in all, at the end of a run of that kind. On a grid only.
  std::byte* append_tagged(int link, const wire::handler_entry& handler, format::tag_kind kind, std::size_t bytes) {
    open_batch& o = of(link);
    if (o.open != &handler || o.kind != kind || static_cast<std::size_t>(o.limit - o.cursor) < bytes) [[unlikely]]
      make_place_for_tagged(link, o, handler, kind, bytes);
    std::byte* const place = o.cursor;
    o.cursor += bytes;
    return place;
  }
  // Place for packets that are all from one PE, so named, for the PE at the end of the link: for one at least, and for
  // all of `bytes` bytes if the batch has it.
  std::span<std::byte> append_together(int link, const wire::handler_entry& handler, std::uint32_t name_of_origin,
                                       std::size_t bytes);
  // The packet that was appended last on `link` tells its own length.
  void last_was_variable(int link) { ++of(link).variable_packets; }

  // Sends what is gathered. False if nothing was.
  bool flush(flush_reason reason);
  bool empty() const { return dirty_.empty(); }
  // It is for few PEs, and batches are as small as the traffic wants them.
  bool cheap_to_flush() const;
  bool empty(int link) const {
    const open_batch* const o = of_if_any(link);
    return o == nullptr || o->batch == nullptr;
  }
  // How old what is unsent should get, in ticks. In a trickle as long as it pays to wait for more, between a tenth of
  // the limit and all of it.
  std::uint64_t oldest_ticks() const;

 private:
  [[gnu::always_inline]] std::byte* append_on(int link, open_batch& o, const wire::handler_entry& handler,
                                              std::size_t bytes) {
    std::byte* const place = o.cursor;
    if (o.handler != &handler || place + bytes > o.limit) [[unlikely]]
      return append_slowly(link, handler, bytes);
    o.cursor = place + bytes;
    return place;
  }
  [[gnu::noinline]] std::byte* append_towards(pe_id to, const wire::handler_entry& handler, std::size_t bytes);
  bool goes_with_others(const open_batch& o, const wire::handler_entry& handler) const;
  void make_place_for_tagged(int link, open_batch& o, const wire::handler_entry& handler, format::tag_kind kind,
                             std::size_t bytes);
  void begin_run(int link, open_batch& o, const wire::handler_entry& handler);
  static bool has_place(const open_batch& o, std::size_t bytes) {
    return o.batch != nullptr && static_cast<std::size_t>(o.limit - o.cursor) >= bytes;
  }
  void make_place(int link, open_batch& o, std::size_t bytes);
  bool grow(int link, open_batch& o, std::size_t least, std::size_t wanted);
  void post_full(int link, open_batch& o);
  void start_batch(int link, open_batch& o, std::size_t first_bytes);
  // `follows`: format::another_follows, or 0.
  void close_run(int link, open_batch& o, std::uint32_t follows);
  std::uint32_t packets_in_run(open_batch& o, std::uint32_t bytes) const;
  // If that takes fewer bytes, puts the packets of the open run in the order of the PEs they are for, a run for each of
  // these.
  bool close_run_by_destination(open_batch& o, std::uint32_t follows);
  void count_run_on_grid(int link, const open_batch& o, std::uint32_t packets, std::uint32_t bytes);
  void close_and_post(int link, open_batch& o, flush_reason reason);
  void check_exists(pe_id to) const;

  // On a grid a link has one while it has a batch, or lately had: a PE of many uses few at a time, and a simulation has
  // many PEs.
  open_batch& of(int link) {
    if (!links_.routed()) return straight_[static_cast<std::uint32_t>(link)];
    auto& o = on_grid_.use(static_cast<std::uint32_t>(link));
    if (o == nullptr) o = spare();
    return *o;
  }
  detail::owned<open_batch> spare();
  const open_batch* of_if_any(int link) const {
    const auto at = static_cast<std::uint32_t>(link);
    return links_.routed() ? on_grid_[at].get() : &straight_[at];
  }

  // Constant after construction.
  link_map links_;
  detail::owned_array<open_batch> straight_;  // by link; null on a grid
  transport::transport& transport_;
  const detail::owned<ledger> count_;
  std::size_t packet_limit_;
  std::uint64_t oldest_ticks_;
  bool each_alone_;  // each packet leaves by itself, in the order of sending

  sparse_array<detail::owned<open_batch>> on_grid_;  // by link; empty where packets go straight
  std::vector<detail::owned<open_batch>> spares_;    // of links that have none now
  std::vector<int> dirty_;                           // every link with an open batch, or that lately had one, each once
  const detail::owned<tuning> tuning_;               // looked at when a batch begins or leaves, by no send
  std::vector<std::uint64_t> run_began_;             // in ticks, by link; empty unless waiting is timed
  std::vector<std::byte> scratch_;                   // the variable packet that is being sent
  credit_window window_;                             // closed batches leave through it
};

}  // namespace tsubu::message
