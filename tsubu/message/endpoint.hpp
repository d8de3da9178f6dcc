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
// An endpoint knows no tasks: a handler is a plain function that runs to its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/transport.hpp"
#include "tsubu/wire/handler.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::message {

class overflow;

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
  std::uint64_t bytes_sent = 0;        // of batches, headers included, and of bulks; own batches included
  std::uint64_t batches_sent = 0;
  std::uint64_t bulks_sent = 0;
  std::uint64_t flushes[4] = {};  // batches_sent by flush_reason
};

// The packets of one handler, or those exchanged with one PE, as this PE has counted them. What is
// executed somewhere was sent somewhere: the sums over all PEs tell whether a packet was lost or doubled.
struct account {
  std::uint64_t sent = 0;
  std::uint64_t executed = 0;
  std::uint64_t bytes_sent = 0;  // of packets, without headers
};

class endpoint final : private transport::receiver {
 public:
  // Batches on the way to one PE at which has_room() says no: half a megabyte of them, which a second-level cache
  // holds, but from 8 to 24.
  static constexpr int stall_batches = 24;
  static constexpr int stall_limit(std::size_t batch_bytes) {
    const std::size_t fit = (std::size_t{512} << 10) / batch_bytes;
    return fit < 8 ? 8 : (fit > stall_batches ? stall_batches : static_cast<int>(fit));
  }

  // What a PE may hold: of messages in its memory, and of those that wait in its spill file.
  struct limits {
    std::size_t memory_bytes = std::size_t{64} << 20;
    std::size_t spill_bytes = std::size_t{4} << 30;
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

  // Sends one packet and `source`, whose bytes land where H::place says. H's packets are fixed.
  template <class H, class... V>
  void send_bulk(pe_id to, transport::bulk_source source, const V&... values);

  // Whether a sender that cares may go on sending to `to`. Cheap while there is room. Says no, too, when a
  // batch has left since run_arrived() was last called: a sender that awaits lets one in for each it sends.
  bool has_room(pe_id to) {
    outgoing& o = out_[static_cast<std::size_t>(to)];
    return !o.stalled || unstall(to);
  }

  // The same for all PEs.
  bool has_room_everywhere() { return stalled_.empty() || unstall_all(); }

  // Sends what has waited and now has room. Takes at most one arrived batch and executes it. False if there was none.
  bool run_arrived();

  // Sends what is gathered. False if nothing was.
  bool flush(flush_reason reason);

  bool has_unsent() const { return !dirty_.empty(); }
  // Batches wait for room on the way to their PE.
  bool has_waiting() const;
  // Batches of its own, or that came with the greetings, wait to be executed.
  bool has_own() const { return !own_.empty() || !early_.empty(); }

  const counters& counted() const { return counters_; }
  // The most bytes of messages that this PE has held in its memory.
  std::size_t peak_bytes() const { return std::max(peak_bytes_, transport_.bytes_allocated()); }
  // By a handler's number.
  std::span<const account> by_handler() const { return by_handler_; }
  // By PE: sent to it, executed from it. Only of packets that count for quiescence.
  std::span<const account> by_pe() const { return by_pe_; }
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

 private:
  // Set in a run's handler number when its one packet is in the bulk that came with it.
  static constexpr std::uint32_t in_bulk = std::uint32_t{1} << 31;

  struct run_header {
    std::uint32_t handler;
    std::uint32_t bytes;
  };
  static_assert(sizeof(run_header) == 8);

  // run <= cursor <= limit while a batch is open; the open run's header is written when it is closed.
  struct alignas(64) outgoing {
    std::byte* cursor = nullptr;
    std::byte* limit = nullptr;
    const wire::handler_entry* handler = nullptr;  // of the open run
    std::byte* run = nullptr;
    transport::batch* batch = nullptr;
    std::uint32_t variable_packets = 0;  // in the open run, if its packets tell their own length
    bool stalled = false;                // has_room() has to look closer
    bool full = false;                   // too much was on the way
    bool dirty = false;                  // in dirty_
    bool waits = false;                  // overflow_ holds batches for it
  };

  // Room for a packet of `bytes` to `to`, at the end of a run for `handler`.
  std::byte* append(pe_id to, const wire::handler_entry& handler, std::size_t bytes) {
    TSUBU_CHECK(static_cast<std::uint32_t>(to) < static_cast<std::uint32_t>(pe_count_), no_such_pe(to));
    outgoing& o = out_[static_cast<std::uint32_t>(to)];
    std::byte* const place = o.cursor;
    if (o.handler != &handler || place + bytes > o.limit) [[unlikely]]
      return append_slowly(to, handler, bytes);
    o.cursor = place + bytes;
    return place;
  }

  std::byte* append_slowly(pe_id to, const wire::handler_entry& handler, std::size_t bytes);
  void send_scratch(pe_id to, const wire::handler_entry& handler);
  bool room_on_the_way(pe_id to) const;
  // `source` has no bytes if `b` is no head of a bulk.
  void post(pe_id to, transport::batch* b, const transport::bulk_source& source);
  void deliver(pe_id to, transport::batch* b, const transport::bulk_source& source);
  void hold_back(pe_id to, transport::batch* b, const transport::bulk_source& source);
  void send_held_back();
  std::string heaviest_waiting() const;
  void send_in_bulk(pe_id to, const wire::handler_entry& handler, std::vector<std::byte> packet);
  void close_run(pe_id to, outgoing& o);
  void close_and_post(pe_id to, outgoing& o, flush_reason reason);
  void post_bulk(pe_id to, transport::batch* head, transport::bulk_source source);
  void start_batch(pe_id to, outgoing& o);
  void count_sent(pe_id to, const wire::handler_entry& handler, std::uint64_t packets, std::uint64_t bytes) {
    counters_.packets_sent += packets;
    account& of = by_handler_[handler.number];
    of.sent += packets;
    of.bytes_sent += bytes;
    if (!handler.counted) return;
    sent_ += packets;
    by_pe_[static_cast<std::size_t>(to)].sent += packets;
  }
  void count_executed(pe_id from, const wire::handler_entry& handler, std::uint64_t packets) {
    counters_.packets_executed += packets;
    by_handler_[handler.number].executed += packets;
    if (!handler.counted) return;
    executed_ += packets;
    by_pe_[static_cast<std::size_t>(from)].executed += packets;
  }
  void stall(pe_id to, int on_the_way);
  bool unstall(pe_id to);
  void land_own_bulk(transport::batch* head);
  bool unstall_all();
  void execute(transport::batch* b, pe_id from);
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_run(pe_id from, std::span<const std::byte> left,
                                                         const std::byte* batch_begin);
  void execute_with_bulk(transport::batch* b, pe_id from);
  // Reads and checks the header of the run at the start of `left`.
  wire::run first_run(pe_id from, std::span<const std::byte> left, const std::byte* batch_begin,
                      const wire::handler_entry*& handler, bool& packet_in_bulk);
  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override;
  std::string no_such_pe(pe_id to) const;

  transport::transport& transport_;
  pe_id pe_;
  pe_id pe_count_;
  std::size_t packet_limit_;  // the largest packet that fits a batch
  int stall_limit_;
  std::unique_ptr<outgoing[]> out_;
  std::vector<pe_id> dirty_;    // destinations with an open batch
  std::vector<pe_id> stalled_;  // destinations that has_room() has to look at
  bool posted_since_run_ = false;
  limits most_;
  std::size_t keep_in_memory_;  // the limit less what may be on the way and being filled
  std::unique_ptr<overflow> overflow_;
  std::size_t peak_bytes_ = 0;
  bool warned_ = false;                           // that something is spilled
  transport::batch_queue own_;                    // full batches for this PE
  std::deque<transport::bulk_source> own_bulks_;  // of the heads in own_
  transport::batch_queue early_;                  // came before the answer to the greeting
  std::span<wire::handler_entry* const> handlers_;
  std::uint64_t sent_ = 0;
  std::uint64_t executed_ = 0;
  counters counters_;
  std::vector<account> by_handler_;
  std::vector<account> by_pe_;
  std::vector<std::byte> scratch_;  // the variable packet that is being sent
  escape_hook escape_hook_;
};

// The endpoint of the PE that runs on this thread now.
inline thread_local constinit endpoint* this_endpoint = nullptr;

}  // namespace tsubu::message
