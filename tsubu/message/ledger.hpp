// What a PE has counted of its messages: in all, by handler (simulated PEs: together), and by PE.
//
// Quiescence needs two of these numbers, sent() and executed(). The others tell the reader of --tsubu-stats what was
// going on, and whether the network has lost or doubled a packet: what is executed somewhere was sent somewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

enum class flush_reason;  // see outbox.hpp

// What one PE did since the job began.
struct counters {
  std::uint64_t packets_sent = 0;      // counted when their run is closed
  std::uint64_t packets_executed = 0;  // counted when their run has been executed
  std::uint64_t packets_passed_on = 0;
  std::uint64_t bytes_sent = 0;  // of batches, headers included, and of bulks; those to itself included
  std::uint64_t batches_sent = 0;
  std::uint64_t bulks_sent = 0;
  std::uint64_t flushes[4] = {};  // batches_sent, by flush_reason

  std::uint64_t packets_taken() const { return packets_executed + packets_passed_on; }
};

// The packets exchanged with one PE, as this PE has counted them. The sums over all PEs tell whether a packet was lost
// or doubled.
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

class ledger {
 public:
  // Above so many PEs, messages are counted by handler only, not by pair of PEs.
  static constexpr pe_id most_counted_pairs = 1024;

  // Simulated PEs, which take turns on one thread, count handlers together: a program has many, and only the sums over
  // all PEs are asked for.
  ledger(pe_id pes, bool simulated);

  // ---- counting

  void sent(const wire::handler_entry& handler, std::uint64_t packets, std::uint64_t bytes) {
    totals_.packets_sent += packets;
    account& of = by_handler_[handler.number];
    of.sent += packets;
    of.bytes_sent += bytes;
    if (handler.counted) sent_ += packets;
  }
  void sent_to(pe_id to, const wire::handler_entry& handler, std::uint64_t packets) {
    if (handler.counted && !by_pe_.empty()) by_pe_[static_cast<std::size_t>(to)].sent += packets;
  }
  void executed(const wire::handler_entry& handler, std::uint64_t packets) {
    totals_.packets_executed += packets;
    by_handler_[handler.number].executed += packets;
    if (handler.counted) executed_ += packets;
  }
  void executed_from(pe_id from, const wire::handler_entry& handler, std::uint64_t packets) {
    if (handler.counted && !by_pe_.empty()) by_pe_[static_cast<std::size_t>(from)].executed += packets;
  }
  // In all, as soon as they are in a batch for their next PE; by handler, when their run is closed.
  void passed_on(std::uint64_t packets) { totals_.packets_passed_on += packets; }
  void passed_on(const wire::handler_entry& handler, std::uint64_t packets) {
    by_handler_[handler.number].passed_on += packets;
  }
  void waited(const wire::handler_entry& handler, std::uint64_t ticks) { by_handler_[handler.number].waited += ticks; }
  void batch_left(flush_reason reason, std::uint64_t bytes) {
    ++totals_.flushes[static_cast<int>(reason)];
    ++totals_.batches_sent;
    totals_.bytes_sent += bytes;
  }
  void bulk_left(std::uint64_t bytes) {
    ++totals_.bulks_sent;
    totals_.bytes_sent += bytes;
  }

  // ---- what was counted

  const counters& totals() const { return totals_; }
  // By a handler's number: of this PE; or of all simulated PEs, on the one that was made first, and else empty.
  std::span<const account> by_handler() const;
  // By PE: sent to it, executed from it. Only of packets that count for quiescence. Empty in jobs of more than
  // most_counted_pairs PEs.
  std::span<const exchange> by_pe() const { return by_pe_; }
  // Packets that count for quiescence.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t executed() const { return executed_; }

 private:
  // sent_ and executed_ are this PE's sums over the handlers that count for quiescence; sent_ is also the sum over
  // by_pe_ unless that is empty, but for packets in open runs.
  std::uint64_t sent_ = 0;
  std::uint64_t executed_ = 0;
  counters totals_;
  std::shared_ptr<std::vector<account>> accounts_;
  bool shows_accounts_ = false;
  account* by_handler_;  // in accounts_
  std::vector<exchange> by_pe_;
};

}  // namespace tsubu::message
