// One PE's sending and receiving: packets gathered into batches, batches taken apart into runs.
//
// send() appends a packet to the batch for its destination (outbox); a batch leaves when it is full, when its PE has
// nothing else to do, or when it gets old, as far as there is credit for it (credit_window). An arrived batch is a
// sequence of runs of packets for one handler each (batch_format), which are executed one after the other (dispatcher),
// or passed on where packets go over a grid of PEs (forwarder). An endpoint is made of these parts and has little of
// its own.
//
// Promises: each packet is executed once; packets from one PE to another are executed in the order they
// were sent; no handler runs inside send(). Everything that came over the wire is checked before it is
// used, and what no correct PE sends ends the job.
//
// An endpoint knows no tasks: a handler is a plain function that runs to its end.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/message/credit_window.hpp"
#include "tsubu/message/kept_result.hpp"
#include "tsubu/message/outbox.hpp"
#include "tsubu/transport/transport.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::transport {
class batch_queue;
}

namespace tsubu::message {

class dispatcher;
class adaptive_switch;
class forwarder;
class prediction;
struct account;
struct counters;
struct exchange;
struct prediction_settings;

class endpoint {
 public:
  explicit endpoint(transport::transport& below, const limits& most = {});
  ~endpoint();
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;

  // Compares with all PEs what has to be the same, see handshake.hpp. Collective; blocks. Ends the job on a difference.
  void handshake();

  pe_id pe() const { return outbox_.links().pe(); }
  pe_id pe_count() const { return outbox_.links().pe_count(); }

  // ---- sending

  // Sends one packet to handler H; include handler.hpp, which tells what a handler is. Local; never blocks.
  template <class H, class... V>
  void send(pe_id to, const V&... values);

  // Sends up to `most` fixed packets to handler H, at least one: as many as the batch has place for. The caller writes
  // them, one after the other, before it calls the endpoint again.
  template <class H>
  std::span<std::byte> send_in_place(pe_id to, std::size_t most);

  // Sends one packet and `source`, whose bytes land where H::place says. H's packets are fixed.
  template <class H, class... V>
  void send_bulk(pe_id to, transport::bulk_source source, const V&... values);

  // Whether a packet of so many bytes fits a batch.
  bool fits(std::size_t bytes) const { return outbox_.fits(bytes); }

  // Bytes for send_bulk() that nobody else keeps until they have left.
  transport::bulk_source keep(std::vector<std::byte> bytes) { return outbox_.window().keep(std::move(bytes)); }

  // For send_straight().
  outbox& out() { return outbox_; }

  // Whether a sender that cares may go on sending to `to`. Cheap while there is credit. Says no, too, when a
  // batch has left since run_arrived() was last called: a sender that awaits lets one in for each it sends.
  bool has_credit(pe_id to) { return outbox_.window().has_credit(outbox_.links().towards(to)); }
  // The same for all PEs.
  bool has_credit_everywhere() { return outbox_.window().has_credit_everywhere(); }
  // The same for a sender that waits: it is not overtaken for ever by handlers, which do not ask. All PEs: no_pe.
  bool has_turn(pe_id to) {
    credit_window& window = outbox_.window();
    return to == no_pe ? window.has_turn_everywhere() : window.has_turn(outbox_.links().towards(to));
  }

  // Whether there is no room for those who send to this PE itself.
  void hold_own_senders(bool yes) { outbox_.window().hold_own_senders(yes); }

  // Sends what is gathered. False if nothing was.
  bool flush(flush_reason reason) { return outbox_.flush(reason); }
  bool has_unsent() const { return !outbox_.empty(); }
  // It is for few PEs, and batches are as small as the traffic wants them.
  bool cheap_to_flush() const { return outbox_.cheap_to_flush(); }
  // How old what is unsent should get.
  std::uint64_t oldest_ticks() const { return outbox_.oldest_ticks(); }
  // Batches wait for credit on the way to their PE.
  bool has_waiting() const { return outbox_.window().holds_any(); }

  // ---- receiving

  // Sends what has waited and now has credit. Takes at most one arrived batch and executes it. False if there was none.
  bool run_arrived();
  // The same, but takes none: what has arrived stays where it is, and so the credit of who sent it is spent.
  void take_nothing() { outbox_.window().begin_turn(); }

  // Batches that this PE has sent to itself, or that came with the handshake, wait to be executed.
  bool has_arrived() const;
  // All that this PE has sent to itself has been executed.
  bool nothing_for_itself() const;

  // Called with an exception that left a handler. The default, also set by null, ends the job.
  using escape_hook = void (*)(const wire::handler_entry&, std::exception_ptr);
  void set_escape_hook(escape_hook hook);
  void escaped(const wire::handler_entry& handler, std::exception_ptr e) { escape_hook_(handler, std::move(e)); }
  // The same, where `what` threw, as is told if no hook takes it: "the constructor of b".
  void escaped_from(std::string_view what, const wire::handler_entry& handler, std::exception_ptr e);

  // For run_loop: whether this handler is faster with fetching ahead, here and now.
  adaptive_switch& switch_of(const wire::handler_entry& handler);

  // ---- prediction, see prediction.hpp; without predict() these do nothing

  // From now on this PE expects messages. Before any has come.
  void predict(const prediction_settings& how);
  // There is nothing to do here.
  void idle() {
    if (prediction_ != nullptr) [[unlikely]]
      do_ahead();
  }
  // Something has been done here: what was computed ahead may be wrong now.
  void has_worked() {
    if (prediction_ != nullptr) [[unlikely]]
      forget_ahead();
  }
  // For a handler that computes ahead: keeps its result for the next message; and gives what was kept for this one, or
  // null. The handler sees for itself whether it was for these values, and then says so.
  void keep_ahead(const wire::handler_entry& of, std::unique_ptr<kept_result> result);
  detail::owned<kept_result> take_ahead(const wire::handler_entry& of) {
    return prediction_ == nullptr ? nullptr : taken_ahead(of);
  }
  void used_ahead();
  // Null: nothing is predicted.
  message::prediction* prediction() { return prediction_.get(); }
  const message::prediction* prediction() const { return prediction_.get(); }

  // ---- accounts, see ledger.hpp

  const counters& counted() const;
  std::span<const account> by_handler() const;
  std::span<const exchange> by_pe() const;
  // Packets that count for quiescence.
  std::uint64_t sent() const;
  std::uint64_t executed() const;
  // The most bytes of messages that this PE has held in its memory.
  std::size_t peak_bytes() const { return outbox_.window().peak_bytes(); }
  // Batches that this PE has posted and not yet heard to be released, or that still wait.
  std::uint64_t under_way() const { return outbox_.window().under_way(); }

  // Bytes that a PE of a job of `pes` PEs holds at most of batches that are being filled and on the way, and of its own
  // tables. What the transport keeps beside them, it tells itself.
  static std::size_t buffer_bytes(int pes, transport::grid_shape shape);

 private:
  // The parts; each says itself who may touch what is in it. The outbox comes first, since then a send has no address
  // to calculate. forwarder_ is null where packets go straight to their PE.
  outbox outbox_;
  detail::owned<forwarder> forwarder_;
  detail::owned<dispatcher> dispatcher_;
  transport::transport& transport_;

  // Came before this PE had heard that all agree; these go before what comes later.
  const detail::owned<transport::batch_queue> early_;
  bool executes_loopback_ = false;  // the batch that is being executed is from this PE itself
  detail::owned<kept_result> taken_ahead(const wire::handler_entry& of);
  void do_ahead();
  void forget_ahead();

  escape_hook escape_hook_;
  detail::owned<message::prediction> prediction_;
  std::vector<adaptive_switch> switches_;  // by a handler's number; empty until the first is asked for
};

// The endpoint of the PE that runs on this thread now.
inline thread_local constinit endpoint* this_endpoint = nullptr;

// What send_straight() needs of it: its open batches, by PE, while PEs are below this_send_bound.
inline thread_local constinit open_batch* this_open_batches = nullptr;

// From now on that endpoint's PE is on this thread; null: none.
void set_this_endpoint(endpoint* now);

}  // namespace tsubu::message
