#include "tsubu/transport/mpi/engine.hpp"

#include <algorithm>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/backoff.hpp"

namespace tsubu::transport::mpi {

namespace {

// As many as make a crowd from one peer move; then others may have the lock.
constexpr int messages_a_turn = 16;

// Credits of a pair of ranks: as many PEs as share them, but no more than a label may return at once.
std::uint32_t rank_credits(const launch_settings& settings, std::size_t ranks) {
  const auto pes = static_cast<std::uint32_t>(settings.pes_per_rank);
  const std::size_t memory = receive_memory(ranks - 1) * pes;
  const std::size_t room = memory / (2 * settings.batch_bytes * std::max<std::size_t>(ranks - 1, 1));
  const std::uint32_t most = std::min(most_credits * pes, std::uint32_t{32});
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(room, fewest_credits, most));
}

}  // namespace

engine::engine(const launch_settings& settings)
    : comms_{own_communicator(), own_communicator()},
      pes_per_rank_(settings.pes_per_rank),
      hops_(settings.hops),
      crowded_(more_pes_than_cores(settings.pes_per_rank)),
      lanes_(world_size()),
      credit_limit_(rank_credits(settings, lanes_.size())),
      pay_at_(std::max(credit_limit_ / 2, 1u)),
      inboxes_(static_cast<std::size_t>(settings.pes_per_rank)),
      pool_(settings.batch_bytes),
      receives_(comms_.batches, receive_count(lanes_.size() - 1, credit_limit_), settings.batch_bytes),
      bulks_(comms_.bulks),
      missing_(receive_count(lanes_.size() - 1, credit_limit_)) {
  static_assert(most_label_credits >= 32);
  first_pe_ = own_rank() * pes_per_rank_;
  const std::size_t pes = lanes_.size() * inboxes_.size();
  for (inbox& d : inboxes_) d.released = std::make_unique<std::atomic<std::uint32_t>[]>(pes);
  post_receives();
  // No rank may send before all receives of its peers are posted.
  check_mpi(MPI_Barrier(comms_.batches));
  guard_abort_with(&locked_);
}

engine::~engine() { guard_abort_with(nullptr); }

// ---- the lock

// Sequentially consistent, as the outbox and unlock() are: who finds it locked here, after a push, is seen by the
// look at the outbox that follows unlock().
bool engine::lock(threads_end& caller) {
  if (locked_.load(std::memory_order_seq_cst) || locked_.exchange(true, std::memory_order_seq_cst)) return false;
  mover_ = &caller;
  return true;
}

void engine::unlock() { locked_.store(false, std::memory_order_seq_cst); }

void engine::submit(batch* b, threads_end& caller) {
  if (lock(caller)) {
    // What this PE left there goes first.
    if (!outbox_.empty()) take_submitted();
    admit_submitted(b);
    unlock();
  } else {
    outbox_.push(b);
  }
  send_submitted(caller);
}

int engine::move(threads_end& caller) {
  if (!lock(caller)) return -1;
  const int came = turn();
  unlock();
  send_submitted(caller);
  return came;
}

void engine::send_submitted(threads_end& caller) {
  while (!outbox_.empty() && lock(caller)) {
    take_submitted();
    unlock();
  }
}

int engine::turn() {
  if (stage_ == stage::closed) return 0;
  if (!outbox_.empty()) take_submitted();
  if (!given_back_.empty()) given_back_.take([this](batch* b) { pool_.put(b); });
  if (bulks_.active()) [[unlikely]]
    move_bulks();
  int came = 0;
  int rank = 0;
  while (!receives_.empty() && came < messages_a_turn) {
    batch* b = receives_.take(rank);
    if (b == nullptr) break;
    arrive(b, rank);
    ++came;
  }
  if (came == 0) {
    if (missing_ != 0) post_receives();
    if (!sends_.empty()) sends_.collect(*this);
    if (++idle_turns_ % 32 == 0) pay_all();
  } else {
    idle_turns_ = 0;
  }
  if (closing_.load(std::memory_order_seq_cst) == pes_per_rank_) [[unlikely]]
    advance_end();
  needs_care_.store(!sends_.empty() || bulks_.active(), std::memory_order_relaxed);
  bytes_in_use_.store(pool_.bytes_in_use(), std::memory_order_relaxed);
  bytes_allocated_.store(pool_.bytes_allocated(), std::memory_order_relaxed);
  return came;
}

// ---- sending

void engine::take_submitted() {
  outbox_.take([this](batch* b) { admit_submitted(b); });
}

void engine::admit_submitted(batch* b) {
  const label l = read_label(b);
  if (l.what == errand::cleared) [[unlikely]] {
    // The receives first: the clearance calls the bytes.
    batch* m = pool_.take();
    m->from = no_pe;
    m->to = b->from;
    m->bulk_bytes = 0;
    write_label(m, l);
    bulks_.receive(b, rank_of(b->from), b->bulk_data, b->bulk_bytes);
    post(m);
    return;
  }
  if (l.what == errand::bulk_head) [[unlikely]] {
    auto* out = reinterpret_cast<bulk_out*>(b->bulk_data);
    bulks_.offer(pair(b->from, b->to), {out->source.bytes, bulk_has_left, out});
  }
  post(b);
}

void engine::post(batch* b) {
  const int rank = rank_of(b->to);
  lane& l = lane_of(rank);
  if (l.unsent.empty() && l.count.unacknowledged() < credit_limit_) [[likely]] {
    ++l.count.sent;
    send(l, rank, b);
  } else {
    l.unsent.push(b);
    ++unsent_;
  }
}

void engine::send(lane& l, int rank, batch* b) {
  label what = read_label(b);
  what.credits = std::min(l.count.owed(), most_label_credits);
  l.count.returned += what.credits;
  ++l.messages;
  write_label(b, what);
  sends_.send(b, what.size, what.what == errand::bulk_head, rank, comms_.batches, *this);
}

void engine::acknowledge(lane& l, int rank, std::uint32_t credits) {
  check(credits <= l.count.unacknowledged(), "a rank returned more credits than it was sent messages");
  l.count.acknowledged += credits;
  while (!l.unsent.empty() && l.count.unacknowledged() < credit_limit_) {
    --unsent_;
    ++l.count.sent;
    send(l, rank, l.unsent.pop());
  }
}

// A message that has left goes back to who made it.
void engine::put(batch* b) {
  if (b->from == no_pe) {
    pool_.put(b);
    return;
  }
  threads_end* maker = inbox_of(number_in_rank(b->from)).end;
  b->own = &maker->batches();
  b->bulk_bytes = 0;
  if (maker == mover_) {
    maker->batches().put(b);
  } else {
    maker->batches().put_from_any_thread(b);
  }
}

// ---- receiving

void engine::arrive(batch* b, int rank) {
  const label what = read_label(b);
  lane& l = lane_of(rank);
  ++messages_arrived_;
  check(what.from < pes_per_rank_ && what.to < pes_per_rank_,
        "a message arrived that names a PE its rank does not have");
  b->size = what.size;
  check(b->size <= b->capacity, "an arrived batch is larger than its buffer");
  b->from = rank * pes_per_rank_ + what.from;
  b->to = first_pe_ + what.to;
  b->bulk_bytes = 0;
  b->own = nullptr;
  if (what.released != 0) {
    inbox_of(what.to).released[static_cast<std::size_t>(b->from)].fetch_add(what.released, std::memory_order_release);
  }
  const std::uint32_t returned = what.credits;
  switch (what.what) {
    case errand::bulk_head:
      b->bulk_bytes = read_bulk_length(b);
      check(b->bulk_bytes != 0, "the head of a bulk of no bytes arrived");
      [[fallthrough]];
    case errand::batch:
      deliver(b);
      break;
    case errand::cleared:
      bulks_.cleared(pair(b->to, b->from), rank);
      pool_.put(b);
      break;
    case errand::releases:
      spread_releases(b);
      pool_.put(b);
      break;
    case errand::credits:
      pool_.put(b);
      receive_is_missing();
      acknowledge(l, rank, returned);
      return;
    default:
      fail("a message of an unknown kind arrived");
  }
  if (returned != 0) acknowledge(l, rank, returned);
  owe(l, rank);
}

void engine::deliver(batch* b) {
  inbox& d = inbox_of(number_in_rank(b->to));
  if (d.end == mover_) {
    if (!d.arrived.empty()) d.arrived.take([&d](batch* before) { d.fetched.push(before); });
    d.fetched.push(b);
    return;
  }
  d.arrived.push(b);
  d.end->wake();
}

void engine::spread_releases(batch* b) {
  check(b->size % sizeof(release_record) == 0, "an arrived message of releases is cut off");
  for (std::size_t at = 0; at < b->size; at += sizeof(release_record)) {
    release_record r;
    std::memcpy(&r, b->data() + at, sizeof r);
    check(r.to < pes_per_rank_, "a release arrived for a PE that this rank does not have");
    inbox_of(r.to).released[static_cast<std::size_t>(b->from)].fetch_add(r.count, std::memory_order_release);
  }
}

void engine::receive_is_missing() {
  if (++missing_ > spare_receives) post_receives();
}

void engine::post_receives() {
  for (; missing_ > 0; --missing_) receives_.post(pool_);
}

// ---- credits of others

void engine::owe(lane& l, int rank) {
  receive_is_missing();
  ++l.count.released;
  if (stage_ >= stage::counting) return;
  if (l.count.owed() >= pay_at_) {
    send_credits(l, rank);
  } else if (!l.listed) {
    l.listed = true;
    owing_.push_back(rank);
  }
}

void engine::send_credits(lane& l, int rank) {
  batch* b = pool_.take();
  b->from = no_pe;
  b->bulk_bytes = 0;
  write_label(b, {0, errand::credits});
  send(l, rank, b);
}

void engine::pay_all() {
  for (int rank : owing_) {
    lane& l = lane_of(rank);
    l.listed = false;
    if (l.count.owed() != 0) send_credits(l, rank);
  }
  owing_.clear();
}

// ---- bulks

void engine::move_bulks() {
  bulks_.poll(landed_);
  for (batch* head : landed_) deliver(head);
  landed_.clear();
}

void engine::bulk_has_left(void* argument) {
  auto* out = static_cast<bulk_out*>(argument);
  inbox* sender = out->sender;
  sender->sent.push(out);
  sender->end->wake();
}

void engine::wake_one() {
  for (inbox& d : inboxes_) {
    if (d.end->wake()) return;
  }
}

// ---- the end

// As mpi_transport::close(), a step at a time.
void engine::advance_end() {
  if (stage_ == stage::open && all_sent()) {
    check_mpi(MPI_Ibarrier(comms_.bulks, &agreement_));
    stage_ = stage::agreeing;
  }
  if (stage_ == stage::agreeing && complete()) {
    stage_ = stage::counting;
    owing_.clear();  // no news after the count
    sent_to_.resize(lanes_.size());
    std::transform(lanes_.begin(), lanes_.end(), sent_to_.begin(), [](const lane& l) { return l.messages; });
    check_mpi(
        MPI_Ireduce_scatter_block(sent_to_.data(), &coming_, 1, MPI_UINT64_T, MPI_SUM, comms_.bulks, &agreement_));
  }
  if (stage_ == stage::counting && complete()) stage_ = stage::draining;
  if (stage_ == stage::draining && messages_arrived_ == coming_ && all_sent()) {
    receives_.cancel(pool_);
    check_mpi(MPI_Comm_free(&comms_.batches));
    check_mpi(MPI_Comm_free(&comms_.bulks));
    stage_ = stage::closed;
    closed_.store(true, std::memory_order_release);
  }
}

bool engine::complete() {
  int done = 0;
  check_mpi(MPI_Test(&agreement_, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

}  // namespace tsubu::transport::mpi
