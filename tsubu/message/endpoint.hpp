// One PE's sending and receiving: packets gathered into batches, batches taken apart into runs.
//
// send() appends a packet to the batch for its destination; a batch leaves when it is full, when its
// PE has nothing else to do, or when it gets old. An arrived batch is a sequence of *runs*: a handler's
// number and a byte count, then the packets of that many bytes, with no header of their own. The
// handler is compiled for the whole run, so its body is inlined into the loop over it (after A-NET,
// which put the receive path into firmware).
//
// Promises: each packet is executed once; packets from one PE to another are executed in the order they
// were sent; no handler runs inside send(). Everything that came over the wire is checked before it is
// used, and what no correct PE sends ends the job.
//
// In large jobs packets go over a grid of PEs (transport/grid.hpp): an endpoint then gathers for its neighbours only,
// and passes on what is for others, without executing it. A *link* is the number of a neighbour; where packets go
// straight, all PEs are neighbours, and a PE's link is its number.
//
// An endpoint knows no tasks: a handler is a plain function that runs to its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/message/tuning.hpp"
#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/grid.hpp"
#include "tsubu/transport/transport.hpp"
#include "tsubu/wire/handler.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::message {

class overflow;
class passage;

// What a handler may ask about the packet it was called for.
struct delivery {
  pe_id from;       // the PE that sent it
  std::byte* bulk;  // the bulk that came with it, or null
  std::size_t bulk_bytes;
};

enum class flush_reason { full, idle, old, order };

// What one PE did since the job began.
struct counters {
  std::uint64_t packets_sent = 0;      // counted when their run is closed
  std::uint64_t packets_executed = 0;  // counted when their run has been executed
  std::uint64_t packets_passed_on = 0;
  std::uint64_t bytes_sent = 0;  // of batches, headers included, and of bulks; own batches included
  std::uint64_t batches_sent = 0;
  std::uint64_t bulks_sent = 0;
  std::uint64_t flushes[4] = {};  // batches_sent by flush_reason

  std::uint64_t packets_taken() const { return packets_executed + packets_passed_on; }
};

// The packets exchanged with one PE, as this PE has counted them. What is executed somewhere was sent somewhere: the
// sums over all PEs tell whether a packet was lost or doubled.
struct exchange {
  std::uint64_t sent = 0;
  std::uint64_t executed = 0;
};

// The packets of one handler, likewise.
struct account : exchange {
  std::uint64_t bytes_sent = 0;  // of packets, without headers
  std::uint64_t passed_on = 0;   // on their way between two other PEs
  std::uint64_t waited = 0;      // ticks, of all together, from send() until their run was closed; see time_waiting
};

class endpoint final : private transport::receiver {
 public:
  // Batches on the way to one neighbour at which has_room() says no: half a megabyte of them, which a second-level
  // cache holds, or a share of 8 MiB among many neighbours; but from 8 to 24.
  static constexpr int stall_batches = 24;
  static constexpr int stall_limit(std::size_t batch_bytes, int links) {
    const std::size_t bytes =
        std::min(std::size_t{512} << 10, (std::size_t{8} << 20) / static_cast<std::size_t>(links));
    return static_cast<int>(std::clamp<std::size_t>(bytes / batch_bytes, 8, stall_batches));
  }

  // Bytes that a PE of a job of `pes` PEs holds at most of batches that are being filled and on the way, and of its own
  // tables. What the transport keeps beside them, it tells itself.
  static constexpr std::size_t buffer_bytes(int pes, int hops);

  // Above so many PEs, messages are counted by handler only, not by pair of PEs.
  static constexpr pe_id most_counted_pairs = 4096;

  // What a PE may hold: of messages in its memory, and of those that wait in its spill file.
  struct limits {
    std::size_t memory_bytes = std::size_t{64} << 20;
    std::size_t spill_bytes = std::size_t{4} << 30;
    std::size_t least_batch_bytes = 4096;  // that a batch is tuned down to; the transport's room is the most
    double oldest_us = 50;                 // that an unsent packet may get while its PE is busy
    bool time_waiting = false;  // measure how long packets wait in open batches: two looks at the clock a run
  };

  explicit endpoint(transport::transport& below);
  endpoint(transport::transport& below, limits most);
  ~endpoint();
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;

  // Compares the digest of the handlers with all PEs. Collective; blocks. Ends the job on a difference.
  void greet();

  pe_id pe() const { return pe_; }
  pe_id pe_count() const { return pe_count_; }

  // Sends one packet to handler H; include handler.hpp, which tells what a handler is. Local; never blocks.
  template <class H, class... V>
  void send(pe_id to, const V&... values);

  // Sends up to `most` fixed packets to handler H, at least one: as many as the batch has room for. The caller writes
  // them, one after the other, before it calls the endpoint again.
  template <class H>
  std::span<std::byte> send_in_place(pe_id to, std::size_t most);

  // Sends one packet and `source`, whose bytes land where H::place says. H's packets are fixed.
  template <class H, class... V>
  void send_bulk(pe_id to, transport::bulk_source source, const V&... values);

  // Whether a sender that cares may go on sending to `to`. Cheap while there is room. Says no, too, when a
  // batch has left since run_arrived() was last called: a sender that awaits lets one in for each it sends.
  bool has_room(pe_id to) {
    const int link = link_towards(to);
    return !out(link).stalled || unstall(link);
  }

  // The same for all PEs.
  bool has_room_everywhere() { return stalled_.empty() || unstall_all(); }

  // Sends what has waited and now has room. Takes at most one arrived batch and executes it. False if there was none.
  bool run_arrived();

  // Sends what is gathered. False if nothing was.
  bool flush(flush_reason reason);

  bool has_unsent() const { return !dirty_.empty(); }
  // How old what is unsent should get. In a trickle as long as it pays to wait for more, between a tenth of the limit
  // and all of it.
  std::uint64_t oldest_ticks() const;
  // Batches wait for room on the way to their PE.
  bool has_waiting() const;
  // Batches of its own, or that came with the greetings, wait to be executed.
  bool has_own() const { return !own_.empty() || !early_.empty(); }
  // Of what this PE has sent to itself, all has been executed.
  bool nothing_for_itself() const {
    const outgoing* const o = out_if_any(own_link_);
    return (o == nullptr || (o->batch == nullptr && !o->waits)) && own_.empty() && !executes_own_;
  }

  const counters& counted() const { return counters_; }
  // The most bytes of messages that this PE has held in its memory.
  std::size_t peak_bytes() const { return std::max(peak_bytes_, transport_.bytes_allocated()); }
  // By a handler's number.
  std::span<const account> by_handler() const { return by_handler_; }
  // By PE: sent to it, executed from it. Only of packets that count for quiescence. Empty in jobs of more than
  // most_counted_pairs PEs.
  std::span<const exchange> by_pe() const { return by_pe_; }
  // Batches that this PE has posted and not yet heard to be released, or that still wait.
  std::uint64_t under_way() const;

  // Of packets that count for quiescence.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t executed() const { return executed_; }

  // Called with an exception that left a handler. The default, also set by null, ends the job.
  using escape_hook = void (*)(const wire::handler_entry&, std::exception_ptr);
  void set_escape_hook(escape_hook hook);
  void escaped(const wire::handler_entry& handler, std::exception_ptr e) { escape_hook_(handler, std::move(e)); }

  [[noreturn, gnu::cold]] void bad_run(const wire::run& r, const std::byte* at, const std::string& what);

  // Of the handler that the first word of a run's header names.
  static constexpr std::uint32_t handler_number(std::uint32_t word) { return word & number_bits; }

 private:
  // In a run's handler number, from the top: its one packet is in the bulk that came with it; and, two bits, what
  // stands in front of each of its packets.
  static constexpr std::uint32_t in_bulk = std::uint32_t{1} << 31;
  static constexpr std::size_t smallest_packet_limit = 256 - 8 - 8;  // a batch's least, a run's header, two PEs
  enum tag_kind : std::uint32_t {
    straight = 0,                       // nothing: it is from the batch's PE, and for the one it comes to
    outward = std::uint32_t{1} << 29,   // the PE it is for: it is from the batch's PE
    passing = std::uint32_t{2} << 29,   // the PE it is from, and the PE it is for
    arriving = std::uint32_t{3} << 29,  // the PE it is from: it is for the PE it comes to
  };
  static constexpr std::uint32_t tag_bits = arriving;
  static constexpr std::uint32_t number_bits = ~(in_bulk | tag_bits);
  static constexpr std::size_t most_tag_bytes = 2 * sizeof(pe_id);
  static constexpr std::size_t tag_bytes(std::uint32_t kind) {
    return kind == straight ? 0 : (kind == passing ? most_tag_bytes : sizeof(pe_id));
  }

  struct run_header {
    std::uint32_t handler;
    std::uint32_t bytes;
  };
  static_assert(sizeof(run_header) == 8);

  // run <= cursor <= limit while a batch is open; the open run's header is written when it is closed.
  struct alignas(64) outgoing {
    std::byte* cursor = nullptr;
    std::byte* limit = nullptr;
    const wire::handler_entry* handler = nullptr;  // of the open run, if that is straight
    std::byte* run = nullptr;
    transport::batch* batch = nullptr;
    const wire::handler_entry* open = nullptr;  // of the open run
    std::uint32_t variable_packets = 0;         // in the open run, if its packets tell their own length
    tag_kind kind = straight;                   // of the open run
    bool stalled = false;                       // has_room() has to look closer
    bool full = false;                          // too much was on the way
    bool dirty = false;                         // in dirty_
    bool waits = false;                         // overflow_ holds batches for it
  };
  static_assert(sizeof(outgoing) == 64);

  // Room for a packet of `bytes` to `to`, at the end of a run for `handler`.
  [[gnu::always_inline]] std::byte* append(pe_id to, const wire::handler_entry& handler, std::size_t bytes) {
    // No PE is straight ahead on a grid.
    if (static_cast<std::uint32_t>(to) >= static_cast<std::uint32_t>(straight_pes_)) [[unlikely]]
      return append_towards(to, handler, bytes);
    return append_on(to, out_[static_cast<std::uint32_t>(to)], handler, bytes);
  }
  [[gnu::always_inline]] std::byte* append_on(int link, outgoing& o, const wire::handler_entry& handler,
                                              std::size_t bytes) {
    std::byte* const place = o.cursor;
    if (o.handler != &handler || place + bytes > o.limit) [[unlikely]]
      return append_slowly(link, handler, bytes);
    o.cursor = place + bytes;
    return place;
  }

  std::byte* append_slowly(int link, const wire::handler_entry& handler, std::size_t bytes);
  [[gnu::noinline]] std::byte* append_towards(pe_id to, const wire::handler_entry& handler, std::size_t bytes);
  std::byte* append_tagged(int link, const wire::handler_entry& handler, tag_kind kind, std::size_t bytes);
  void begin_run(int link, outgoing& o, const wire::handler_entry& handler);
  void make_room(int link, outgoing& o, std::size_t bytes);
  void post_full(int link, outgoing& o);
  void send_scratch(pe_id to, const wire::handler_entry& handler);

  // On a grid a link's own is made when it is first used: a PE of many uses few, and a simulation has many PEs.
  outgoing& out(int link) {
    if (!routed()) return out_[static_cast<std::uint32_t>(link)];
    auto& o = sparse_out_[static_cast<std::uint32_t>(link)];
    if (o == nullptr) [[unlikely]]
      o = std::make_unique<outgoing>();
    return *o;
  }
  const outgoing* out_if_any(int link) const {
    const auto at = static_cast<std::uint32_t>(link);
    return routed() ? sparse_out_[at].get() : &out_[at];
  }

  bool routed() const { return straight_pes_ == 0; }
  int link_towards(pe_id to) const { return routed() ? grid_.link_of(grid_.next(to)) : to; }
  pe_id pe_at(int link) const { return routed() ? grid_.neighbour(link) : link; }
  int on_the_way(int link) const { return link == own_link_ ? own_.size() : transport_.on_the_way(pe_at(link)); }
  bool room_on_the_way(int link) const;

  // `source` has no bytes if `b` is no head of a bulk.
  void post(int link, transport::batch* b, const transport::bulk_source& source);
  void deliver(int link, transport::batch* b, const transport::bulk_source& source);
  void hold_back(int link, transport::batch* b, const transport::bulk_source& source);
  void send_held_back();
  std::string heaviest_waiting() const;
  void send_in_bulk(pe_id to, const wire::handler_entry& handler, std::vector<std::byte> packet);
  void close_run(int link, outgoing& o);
  void close_and_post(int link, outgoing& o, flush_reason reason);
  void start_batch(int link, outgoing& o, std::size_t first_bytes);

  // The head of a bulk, with room for one packet of `bytes` bytes.
  struct bulk_head {
    int link;
    transport::batch* batch;
    std::byte* packet;
  };
  bulk_head start_bulk(pe_id to, std::uint32_t handler, std::size_t bytes);
  bulk_head start_bulk(int link, tag_kind kind, std::uint32_t handler, std::size_t bytes);
  void post_bulk(const bulk_head& head, transport::bulk_source source);

  void count_sent(const wire::handler_entry& handler, std::uint64_t packets, std::uint64_t bytes) {
    counters_.packets_sent += packets;
    account& of = by_handler_[handler.number];
    of.sent += packets;
    of.bytes_sent += bytes;
    if (handler.counted) sent_ += packets;
  }
  void count_executed(const wire::handler_entry& handler, std::uint64_t packets) {
    counters_.packets_executed += packets;
    by_handler_[handler.number].executed += packets;
    if (handler.counted) executed_ += packets;
  }
  void count_sent_to(pe_id to, const wire::handler_entry& handler, std::uint64_t packets) {
    if (handler.counted && !by_pe_.empty()) by_pe_[static_cast<std::size_t>(to)].sent += packets;
  }
  void count_executed_from(pe_id from, const wire::handler_entry& handler, std::uint64_t packets) {
    if (handler.counted && !by_pe_.empty()) by_pe_[static_cast<std::size_t>(from)].executed += packets;
  }
  void stall(int link, int on_the_way);
  bool unstall(int link);
  void land_own_bulk(transport::batch* head);
  bool unstall_all();
  void execute(transport::batch* b, pe_id from);
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_run(pe_id from, std::span<const std::byte> left,
                                                         const std::byte* batch_begin);
  void execute_with_bulk(transport::batch* b, pe_id from);

  // A run whose header has been read and checked. With a tag, it is that of the first packet.
  struct parsed_run {
    wire::run packets;  // with their tags; `from` is where the first is from
    const wire::handler_entry* handler = nullptr;
    bool in_bulk = false;
    pe_id to = no_pe;  // no_pe: for this PE
  };
  parsed_run first_run(pe_id from, std::span<const std::byte> left, const std::byte* batch_begin);
  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override;
  message_facts facts_of(transport::batch& posted, std::size_t bulk_bytes) const override;

  // Runs with tags; see passing_on.cpp.
  // The run at the start of `left`; returns its end.
  [[gnu::noinline]] const std::byte* execute_tagged(pe_id from, std::span<const std::byte> left,
                                                    const std::byte* batch_begin);
  template <std::size_t packet_bytes>
  void pass_on(const wire::handler_entry& handler, const wire::run& r, pe_id from);
  void pass_on_bulk(transport::batch* head, const parsed_run& r);
  pe_id read_pe(const wire::run& r, const std::byte* at);
  // The end of the packet whose tag ends at `at`; checks that it lies in the run.
  const std::byte* packet_end(const wire::handler_entry& handler, const wire::run& r, const std::byte* at);

  transport::transport& transport_;
  pe_id pe_;
  pe_id pe_count_;
  transport::grid grid_;
  pe_id straight_pes_;  // all, or 0 if packets go over the grid
  int own_link_;
  std::size_t packet_limit_;  // the largest packet that fits a batch
  int stall_limit_;
  tuning tuning_;
  std::uint64_t oldest_ticks_;
  std::unique_ptr<outgoing[]> out_;                    // by link; null on a grid
  std::vector<std::unique_ptr<outgoing>> sparse_out_;  // by link; empty where packets go straight
  std::vector<int> dirty_;                             // links with an open batch
  std::vector<int> stalled_;                           // links that has_room() has to look at
  bool posted_since_run_ = false;
  bool executes_own_ = false;  // a batch that it sent to itself
  limits most_;
  std::size_t keep_in_memory_;  // the limit less what may be on the way and being filled
  std::unique_ptr<overflow> overflow_;
  std::size_t peak_bytes_ = 0;
  bool warned_ = false;                                            // that something is spilled
  transport::batch_queue own_;                                     // full batches for this PE
  std::unique_ptr<std::deque<transport::bulk_source>> own_bulks_;  // of the heads in own_; null until first used
  transport::batch_queue early_;                                   // came before the answer to the greeting
  std::span<wire::handler_entry* const> handlers_;
  std::uint64_t sent_ = 0;
  std::uint64_t executed_ = 0;
  counters counters_;
  std::vector<account> by_handler_;
  std::vector<std::uint64_t> run_began_;  // by link; empty unless waiting is timed
  std::vector<exchange> by_pe_;
  std::vector<std::byte> scratch_;  // the variable packet that is being sent
  escape_hook escape_hook_;
  std::unique_ptr<passage> passage_;
  bool passing_on_ = false;  // what is posted now is, for the sake of a packet of another PE
};

constexpr std::size_t endpoint::buffer_bytes(int pes, int hops) {
  const int links = transport::link_count(pes, hops);
  const std::size_t batch = transport::usual_batch_bytes(links);
  const std::size_t pairs = pes <= most_counted_pairs ? sizeof(exchange) * static_cast<std::size_t>(pes) : 0;
  return static_cast<std::size_t>(links) *
             (sizeof(outgoing) + batch * static_cast<std::size_t>(1 + stall_limit(batch, links))) +
         pairs;
}

// The endpoint of the PE that runs on this thread now.
inline thread_local constinit endpoint* this_endpoint = nullptr;

}  // namespace tsubu::message
