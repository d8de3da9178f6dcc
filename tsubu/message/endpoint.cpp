#include "tsubu/message/endpoint.hpp"

#include <string>

#include "tsubu/base/check.hpp"
#include "tsubu/base/described_error.hpp"
#include "tsubu/base/send_bound.hpp"
#include "tsubu/message/dispatcher.hpp"
#include "tsubu/message/fetch_ahead.hpp"
#include "tsubu/message/forwarder.hpp"
#include "tsubu/message/handshake.hpp"
#include "tsubu/message/held_arrivals.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/message/link_map.hpp"
#include "tsubu/message/loopback_queue.hpp"
#include "tsubu/message/prediction.hpp"
#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/grid.hpp"

namespace tsubu::message {
namespace {

[[noreturn]] void end_on_escape(const wire::handler_entry& handler, std::exception_ptr e) {
  free_memory_for_last_words();
  fail(wire::target_name(handler) + " threw, and nobody waits for its reply: " + detail::describe_exception(e));
}

// Before any part is made.
transport::transport& prepared(transport::transport& below, const limits& most) {
  const int links = link_map(below).size();
  const std::size_t least = credit_window::least_memory_bytes(below.batch_bytes(), links);
  if (most.memory_bytes < least && !below.each_packet_alone()) {
    end_job(exit_code::usage, "tsubu: --tsubu-memory=" + std::to_string(most.memory_bytes) +
                                  " is less than the least for " + std::to_string(links) + " links with batches of " +
                                  std::to_string(below.batch_bytes()) +
                                  " bytes (--tsubu-batch): " + std::to_string(least));
  }
  wire::number_handlers();
  return below;
}

}  // namespace

endpoint::endpoint(transport::transport& below, const limits& most)
    : outbox_(prepared(below, most), most),
      forwarder_(outbox_.links().routed()
                     ? std::make_unique<forwarder>(run_reader(outbox_.links()), outbox_, outbox_.count())
                     : nullptr),
      dispatcher_(std::make_unique<dispatcher>(run_reader(outbox_.links()), outbox_.count(), forwarder_.get())),
      transport_(below),
      early_(std::make_unique<transport::batch_queue>()),
      escape_hook_(end_on_escape) {
  transport_.set_receiver(dispatcher_.get());
}

endpoint::~endpoint() = default;

void set_this_endpoint(endpoint* now) {
  send_the_first();  // of the PE that was on this thread
  this_endpoint = now;
  this_open_batches = now == nullptr ? nullptr : now->out().straight();
  this_send_bound.without_groups = this_open_batches == nullptr ? 0 : static_cast<std::uint32_t>(now->pe_count());
  set_send_bound(false);
}

void endpoint::handshake() { shake_hands(transport_, *early_); }

void endpoint::escaped_from(std::string_view what, const wire::handler_entry& handler, std::exception_ptr e) {
  if (escape_hook_ != &end_on_escape) return escape_hook_(handler, std::move(e));
  free_memory_for_last_words();
  fail(std::string(what) + " threw " + detail::describe_exception(e));
}

void endpoint::set_escape_hook(escape_hook hook) { escape_hook_ = hook != nullptr ? hook : end_on_escape; }

bool endpoint::has_arrived() const { return !outbox_.window().loopback().empty() || !early_->empty(); }

bool endpoint::nothing_for_itself() const {
  const int own = outbox_.links().own();
  return outbox_.empty(own) && !outbox_.window().holds(own) && outbox_.window().loopback().empty() &&
         !executes_loopback_;
}

const counters& endpoint::counted() const { return outbox_.count().totals(); }
std::span<const account> endpoint::by_handler() const { return outbox_.count().by_handler(); }
std::span<const exchange> endpoint::by_pe() const { return outbox_.count().by_pe(); }
std::uint64_t endpoint::sent() const { return outbox_.count().sent(); }
std::uint64_t endpoint::executed() const { return outbox_.count().executed(); }

std::size_t endpoint::buffer_bytes(int pes, transport::grid_shape shape) {
  const int links = transport::link_count(pes, shape);
  const std::size_t batch = transport::usual_batch_bytes(links, shape.hops);
  const std::size_t pairs = pes <= ledger::most_counted_pairs ? sizeof(exchange) * static_cast<std::size_t>(pes) : 0;
  return static_cast<std::size_t>(links) *
             (sizeof(open_batch) + batch * static_cast<std::size_t>(1 + credit_window::batches_for(batch, links))) +
         pairs;
}

adaptive_switch& endpoint::switch_of(const wire::handler_entry& handler) {
  if (switches_.empty()) [[unlikely]]
    switches_.resize(wire::handlers().size());
  return switches_[handler.number];
}

bool endpoint::run_arrived() {
  credit_window& window = outbox_.window();
  window.begin_turn();
  loopback_queue& loopback = window.loopback();
  transport::batch* b = loopback.pop_in_turn();
  bool own = b != nullptr;
  if (!own) b = early_->empty() ? transport_.poll() : early_->pop();
  if (b == nullptr) {
    b = loopback.pop();
    if (b == nullptr) return false;
    own = true;
  }
  const pe_id from = own ? pe() : b->from;
  executes_loopback_ = own;
  if (own && b->is_bulk()) loopback.land(b, from, *dispatcher_);
  if (prediction_ != nullptr) [[unlikely]]
    prediction_->arrived({b->data(), b->size}, from);
  held_arrivals* const held = window.held();
  if (held == nullptr) [[likely]] {
    dispatcher_->execute(b, from);
    transport_.release(b);
  } else {
    held->begin(b);
    dispatcher_->execute(b, from);
    held->end();
  }
  executes_loopback_ = false;
  has_worked();
  return true;
}

void endpoint::predict(const prediction_settings& how) {
  prediction_ = std::make_unique<message::prediction>(how, run_reader(outbox_.links()), pe());
}

// A simulated PE has one turn to be idle in.
void endpoint::do_ahead() {
  while (prediction_->idle() && simulated != nullptr) continue;
}

void endpoint::keep_ahead(const wire::handler_entry& of, std::unique_ptr<kept_result> result) {
  prediction_->keep(of, std::move(result));
}
detail::owned<kept_result> endpoint::taken_ahead(const wire::handler_entry& of) { return prediction_->take(of); }
void endpoint::used_ahead() { prediction_->used(); }

void endpoint::forget_ahead() { prediction_->forget(); }

}  // namespace tsubu::message
