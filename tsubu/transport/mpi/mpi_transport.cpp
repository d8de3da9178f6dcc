#include "tsubu/transport/mpi/mpi_transport.hpp"

#include <algorithm>

#include "tsubu/base/clock.hpp"
#include "tsubu/transport/mpi/check_mpi.hpp"

namespace tsubu::transport::mpi {

namespace {

// After this many polls in vain, owed credits no longer wait for a message to ride on. A reply that a
// task computes in a microsecond or two still takes them along.
constexpr std::uint32_t idle_polls_until_pay = 32;

}  // namespace

mpi_transport::mpi_transport(const launch_settings& settings)
    : comms_{own_communicator(), own_communicator()},
      links_(static_cast<pe_id>(world_size()), own_rank(), settings.hops),
      credit_limit_(credit_limit(peer_count(), settings.batch_bytes)),
      pay_at_(std::max(credit_limit_ / 2, 1u)),
      peers_(static_cast<std::size_t>(links_.links())),
      pool_(settings.batch_bytes),
      receives_(comms_.batches, receive_count(peer_count(), credit_limit_), settings.batch_bytes),
      bulks_(comms_.bulks),
      missing_(receive_count(peer_count(), credit_limit_)),
      crowded_(more_pes_than_cores(1)),
      backoff_(crowded_) {
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &pe_));
  pe_count_ = static_cast<pe_id>(world_size());
  batch_bytes_ = settings.batch_bytes;
  hops_ = settings.hops;
  // Open MPI gives the core away in each poll in vain when ranks share cores: a long spin would take that many
  // turns of the system's scheduler before a PE notices that it is idle.
  if (crowded_) spin_polls_ = 2;
  post_receives();
  // No PE may send before all receives of its peers are posted.
  check_mpi(MPI_Barrier(comms_.batches));
}

mpi_transport::peer& mpi_transport::peer_of(pe_id pe) { return peers_[static_cast<std::size_t>(links_.link_of(pe))]; }

// ---- sending

batch* mpi_transport::acquire() {
  batch* b = pool_.take();
  b->size = 0;
  b->from = no_pe;
  b->bulk_bytes = 0;
  return b;
}

int mpi_transport::post(batch* filled, pe_id to) { return enqueue(filled, to, 0); }

int mpi_transport::post_bulk(batch* head, pe_id to, bulk_source source) {
  bulks_.offer(static_cast<std::uint64_t>(to), source);
  return enqueue(head, to, source.bytes.size());
}

int mpi_transport::enqueue(batch* b, pe_id to, std::uint64_t bulk_bytes) {
  check(to >= 0 && to < pe_count_ && to != pe_ && links_.is_neighbour(to),
        "a batch is posted to another PE of the job, over a link of its grid");
  check(b->size <= b->capacity, "a batch is filled beyond its capacity");
  peer& p = peer_of(to);
  b->from = pe_;
  b->to = to;
  b->bulk_bytes = bulk_bytes;
  ++p.count.posted;
  if (p.unsent.empty() && p.count.unacknowledged() < credit_limit_) [[likely]] {
    send_batch(p, b);
  } else {
    p.unsent.push(b);
    ++unsent_;
  }
  return p.count.on_the_way();
}

void mpi_transport::send_batch(peer& p, batch* b) {
  ++p.count.sent;
  send(p, b, b->to, {b->size, 0, b->is_bulk() ? kind::bulk_head : kind::batch});
}

void mpi_transport::send_news(peer& p, pe_id to, kind what) { send(p, pool_.take(), to, {0, 0, what}); }

void mpi_transport::send(peer& p, batch* b, pe_id to, prefix header) {
  header.credits = static_cast<std::uint16_t>(p.count.owed());
  p.count.returned = p.count.released;
  ++p.messages;
  write_prefix(b, header);
  sends_.send(b, header.size, header.what == kind::bulk_head, to, comms_.batches, pool_);
}

void mpi_transport::acknowledge(peer& p, std::uint32_t credits) {
  check(credits <= p.count.unacknowledged(), "a peer returned more credits than it was sent batches");
  p.count.acknowledged += credits;
  while (!p.unsent.empty() && p.count.unacknowledged() < credit_limit_) {
    --unsent_;
    send_batch(p, p.unsent.pop());
  }
}

// ---- receiving

batch* mpi_transport::poll() {
  ++polls_;
  if (bulks_.active()) [[unlikely]]
    move_bulks();
  // Before what arrives now, for it may come from the same PE.
  if (!ready_.empty()) [[unlikely]]
    return ready_.pop();
  if (!unplaced_.empty()) [[unlikely]]
    place_bulks();
  return arrival();
}

batch* mpi_transport::arrival() {
  if (receives_.empty()) [[unlikely]]
    return nullptr;  // a lone PE, or closed
  int from = no_pe;
  while (batch* b = receives_.take(from)) {
    if (batch* taken = admit(b, from)) return taken;
  }
  if (has_chores()) chores();
  if (++idle_polls_ % idle_polls_until_pay == 0) pay_all();
  return nullptr;
}

// Returns the batch if it can be handed out now.
batch* mpi_transport::admit(batch* b, pe_id from) {
  peer& p = peer_of(from);
  const prefix header = read_prefix(b);
  idle_polls_ = 0;
  backoff_.reset();
  ++messages_arrived_;
  b->size = header.size;
  b->from = from;
  b->to = pe_;
  b->bulk_bytes = 0;
  b->own = nullptr;
  if (header.credits != 0) acknowledge(p, header.credits);
  if (header.what == kind::batch) [[likely]]
    return admit_batch(p, b);
  if (header.what == kind::bulk_head) {
    check(b->size <= b->capacity, "an arrived head is larger than its buffer");
    b->bulk_bytes = read_bulk_length(b);
    admit_bulk(p, b);
    return nullptr;
  }
  check(header.what == kind::credit || header.what == kind::clear_to_send, "a message of an unknown kind arrived");
  pool_.put(b);
  receive_is_missing();
  if (header.what == kind::clear_to_send) bulks_.cleared(static_cast<std::uint64_t>(from), from);
  return nullptr;
}

batch* mpi_transport::admit_batch(peer& p, batch* b) {
  check(b->size <= b->capacity, "an arrived batch is larger than its buffer");
  ++p.count.arrived;
  if (stage_ != stage::open) owe(p, b->from);
  if (p.held.empty()) [[likely]]
    return b;
  p.held.push(b);
  return nullptr;
}

void mpi_transport::admit_bulk(peer& p, batch* b) {
  ++p.count.arrived;
  check(receiver_ != nullptr, "a bulk arrived before set_receiver()");
  b->own = b;  // not landed
  if (p.held.empty()) unplaced_.push_back(b->from);
  p.held.push(b);
  if (stage_ != stage::open) credit(p);
  if (ready_.empty()) place_bulks();
}

// A bulk may land only when all that came before it from the same source has been executed: its bytes
// go straight to memory that those batches may read or write. So this waits until ready_ is empty.
void mpi_transport::place_bulks() {
  for (pe_id from : unplaced_) {
    peer& p = peer_of(from);
    batch* b = p.held.front();
    b->bulk_data = receiver_->place(from, {b->data(), b->size}, b->bulk_bytes);
    check(b->bulk_data != nullptr, "place() gave no place for a bulk");
    bulks_.receive(b, from, b->bulk_data, b->bulk_bytes);
    send_news(p, from, kind::clear_to_send);
  }
  unplaced_.clear();
}

// Batches behind a bulk of the same source wait with it: they keep the order of the pair.
void mpi_transport::hand_out_held(peer& p) {
  while (!p.held.empty() && !bulk_mover::is_moving(p.held.front())) ready_.push(p.held.pop());
  if (!p.held.empty()) unplaced_.push_back(p.held.front()->from);
}

void mpi_transport::release(batch* taken) {
  const pe_id from = taken->from;
  pool_.put(taken);
  if (from == no_pe || stage_ != stage::open) return;
  owe(peer_of(from), from);
}

// ---- credits of others

// The receive first: a credit may be used as soon as it is on the wire.
void mpi_transport::credit(peer& p) {
  receive_is_missing();
  ++p.count.released;
}

void mpi_transport::owe(peer& p, pe_id to) {
  credit(p);
  if (stage_ == stage::silent) return;
  if (p.count.owed() >= pay_at_) {
    send_news(p, to, kind::credit);
  } else if (!p.listed) {
    p.listed = true;
    owing_.push_back(to);
  }
}

void mpi_transport::pay_all() {
  for (pe_id to : owing_) {
    peer& p = peer_of(to);
    p.listed = false;
    if (p.count.owed() != 0) send_news(p, to, kind::credit);
  }
  owing_.clear();
}

// ---- what has to be done now and then

void mpi_transport::chores() {
  if (missing_ != 0) post_receives();
  sends_.collect(pool_);
}

void mpi_transport::receive_is_missing() {
  if (++missing_ > spare_receives) post_receives();
}

void mpi_transport::post_receives() {
  for (; missing_ > 0; --missing_) receives_.post(pool_);
}

void mpi_transport::move_bulks() {
  bulks_.poll(landed_);
  for (batch* head : landed_) hand_out_held(peer_of(head->from));
  landed_.clear();
}

void mpi_transport::wait(std::int64_t timeout_us) {
  if (!ready_.empty()) return;
  pay_all();
  const std::int64_t end_ns = now_ns() + timeout_us * 1000;
  for (;;) {
    if (has_chores()) chores();
    if (bulks_.active()) move_bulks();
    if (!ready_.empty() || (!receives_.empty() && receives_.arrived())) return;
    const std::int64_t left_us = (end_ns - now_ns()) / 1000;
    if (left_us <= 0) return;
    // What is under way moves only while this PE looks: no naps then.
    if (has_chores() || bulks_.active()) backoff_.reset();
    backoff_.once(left_us);
  }
}

// ---- the end

// Three steps. All PEs have sent all they had: credits must flow until then. Then no PE sends news any
// more, so that the messages can be counted. When all that were sent have arrived, no receive can
// match any more, and they can be cancelled.
void mpi_transport::close() {
  stage_ = stage::draining;
  for (int link = 0; link < links_.links(); ++link) {
    peer& p = peers_[static_cast<std::size_t>(link)];
    while (p.count.released != p.count.arrived) owe(p, links_.neighbour(link));
  }
  drain_until([this] { return all_sent(); });
  MPI_Request request;
  check_mpi(MPI_Ibarrier(comms_.bulks, &request));
  complete(request);

  stage_ = stage::silent;
  owing_.clear();  // no news after the count
  std::vector<std::uint64_t> sent(static_cast<std::size_t>(pe_count_));
  for (int link = 0; link < links_.links(); ++link) {
    const std::uint64_t messages = peers_[static_cast<std::size_t>(link)].messages;
    if (messages != 0) sent[static_cast<std::size_t>(links_.neighbour(link))] = messages;
  }
  std::uint64_t coming = 0;
  check_mpi(MPI_Ireduce_scatter_block(sent.data(), &coming, 1, MPI_UINT64_T, MPI_SUM, comms_.bulks, &request));
  complete(request);
  drain_until([&] { return messages_arrived_ == coming && all_sent(); });

  receives_.cancel(pool_);
  check_mpi(MPI_Comm_free(&comms_.batches));
  check_mpi(MPI_Comm_free(&comms_.bulks));
  stage_ = stage::closed;
}

// What arrives meanwhile stays for later polls.
template <typename Condition>
void mpi_transport::drain_until(Condition reached) {
  while (!reached()) {
    if (bulks_.active()) move_bulks();
    if (!unplaced_.empty()) place_bulks();
    if (batch* b = arrival()) {
      ready_.push(b);
    } else {
      backoff_.once(1000);
    }
  }
}

void mpi_transport::complete(MPI_Request request) {
  drain_until([&] {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return done != 0;
  });
}

void mpi_transport::abort(int code) { abort_job(code); }

}  // namespace tsubu::transport::mpi
