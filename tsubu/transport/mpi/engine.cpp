#include "tsubu/transport/mpi/engine.hpp"

#include <cstring>
#include <memory>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {

static_assert(lane_set<lanes<rank_batches, credit_return::at_arrival>>);
static_assert(most_rank_credits <= most_label_credits);

namespace {

// As many batches as a busy peer sends move; then others may have the lock.
constexpr int messages_a_turn = 16;

// After this many turns in vain, owed credits no longer wait for a message to ride on.
constexpr std::uint32_t idle_turns_until_pay = 32;

// All ranks have the same credits, or a sender could have more than its peer has receives. Collective.
std::uint32_t limit_for_all(const peer_ranks& peers, const launch_settings& settings) {
  int most_peers = static_cast<int>(peers.count());
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &most_peers, 1, MPI_INT, MPI_MAX, job_ranks()));
  const int pes = static_cast<int>(world_size()) * settings.pes_per_rank;
  return credit_limit(static_cast<std::size_t>(most_peers), link_count(pes, settings.shape_for(pes)),
                      settings.batch_bytes, settings.pes_per_rank);
}

}  // namespace

engine::engine(const launch_settings& settings, const std::vector<int>& sharers, bool oversubscribed)
    : ranks_(static_cast<int>(world_size())),
      pes_per_rank_(settings.pes_per_rank),
      shape_(settings.shape_for(ranks_ * pes_per_rank_)),
      first_pe_(own_rank() * settings.pes_per_rank),
      oversubscribed_(oversubscribed),
      peers_(ranks_, settings.pes_per_rank, shape_, own_rank(), sharers),
      inboxes_(static_cast<std::size_t>(settings.pes_per_rank)),
      lanes_(peers_.ranks(), peers_.count(), limit_for_all(peers_, settings), settings.batch_bytes,
             settings.batch_bytes, inboxes_) {
  const std::size_t pes = static_cast<std::size_t>(ranks_) * inboxes_.size();
  for (inbox& of_pe : inboxes_) of_pe.released = std::make_unique<std::atomic<std::uint32_t>[]>(pes);
  lanes_.open();
  guard_abort_with(&locked_);
}

engine::~engine() { guard_abort_with(nullptr); }

// ---- the lock

// Sequentially consistent, as the outbox and unlock() are: who finds it locked here, after a push, is seen by the
// look at the outbox that follows unlock().
bool engine::lock(shared_end& caller) {
  if (pes_per_rank_ == 1) {  // nobody else is there
    lanes_.batches().set_mover(&caller);
    return true;
  }
  if (locked_.load(std::memory_order_seq_cst) || locked_.exchange(true, std::memory_order_seq_cst)) return false;
  lanes_.batches().set_mover(&caller);
  return true;
}

void engine::unlock() {
  if (pes_per_rank_ == 1) return;
  locked_.store(false, std::memory_order_seq_cst);
}

void engine::submit(batch* b, shared_end& caller) {
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

int engine::move(shared_end& caller) {
  if (!lock(caller)) return -1;
  const int came = turn();
  unlock();
  send_submitted(caller);
  return came;
}

void engine::send_submitted(shared_end& caller) {
  // With one PE in the rank nothing is ever there.
  while (!outbox_.empty() && lock(caller)) {
    take_submitted();
    unlock();
  }
}

int engine::turn() {
  if (lanes_.closed()) return 0;
  if (!outbox_.empty()) take_submitted();
  if (!given_back_.empty()) given_back_.take([this](batch* b) { lanes_.batches().put_arrived(b); });
  if (lanes_.bulks().active()) [[unlikely]]
    move_bulks();
  int came = 0;
  int rank = 0;
  while (lanes_.listening() && came < messages_a_turn) {
    batch* b = lanes_.take(rank);
    if (b == nullptr) break;
    arrive(b, rank);
    ++came;
  }
  if (came == 0) {
    if (lanes_.has_chores()) lanes_.chores();
    if (++idle_turns_ % idle_turns_until_pay == 0) lanes_.pay_all();
  } else {
    idle_turns_ = 0;
  }
  if (closing_.load(std::memory_order_seq_cst) == pes_per_rank_) [[unlikely]]
    advance_end();
  needs_care_.store(lanes_.sending() || lanes_.bulks().active(), std::memory_order_relaxed);
  bytes_in_use_.store(lanes_.batches().bytes_in_use(), std::memory_order_relaxed);
  bytes_allocated_.store(lanes_.batches().bytes_allocated(), std::memory_order_relaxed);
  return came;
}

// ---- sending

void engine::take_submitted() {
  outbox_.take([this](batch* b) { admit_submitted(b); });
}

void engine::admit_submitted(batch* b) {
  const label what = read_label(b);
  if (what.what == kind::clear_to_send) [[unlikely]] {
    clear(b, what);
    return;
  }
  if (what.what == kind::bulk_head) [[unlikely]] {
    auto* out = reinterpret_cast<bulk_out*>(b->bulk_data);
    lanes_.bulks().offer(pair(b->from, b->to), {out->source.bytes, bulk_completed, out});
  }
  lanes_.post(lane_to(b->to), b, what);
}

// The receives first: the clearance calls the bytes.
void engine::clear(batch* head, const label& what) {
  const int rank = rank_of(head->from);
  lanes_.bulks().receive(head, rank, head->bulk_data, head->bulk_bytes);
  lanes_.post(lane_to(head->from), lanes_.batches().take(), what);
}

// ---- receiving

void engine::arrive(batch* b, int rank) {
  const int lane = peers_.lane_of(rank);
  check(lane != peer_ranks::none, "a message arrived from a rank that sends to none of this rank's PEs through MPI");
  const label what = lanes_.admit(lane, b);
  check(what.from < pes_per_rank_ && what.to < pes_per_rank_,
        "a message arrived that names a PE its rank does not have");
  b->from = rank * pes_per_rank_ + what.from;
  b->to = first_pe_ + what.to;
  if (what.released != 0) {
    inbox_of(what.to).released[static_cast<std::size_t>(b->from)].fetch_add(what.released, std::memory_order_release);
  }
  switch (what.what) {
    case kind::batch:
    case kind::bulk_head:
      deliver(b);
      break;
    case kind::clear_to_send:
      lanes_.bulks().cleared(pair(b->to, b->from), rank);
      lanes_.batches().put_arrived(b);
      break;
    case kind::releases:
      spread_releases(b);
      lanes_.batches().put_arrived(b);
      break;
    case kind::credits:
      lanes_.batches().put_arrived(b);
      return;
    default:
      fail("a message of an unknown kind arrived");
  }
  lanes_.owe(lane);
}

void engine::deliver(batch* b) {
  inbox& of_pe = inbox_of(number_in_rank(b->to));
  if (lanes_.batches().is_mover(of_pe.end)) {
    if (!of_pe.arrived.empty()) of_pe.arrived.take([&of_pe](batch* before) { of_pe.fetched.push(before); });
    of_pe.fetched.push(b);
    return;
  }
  of_pe.arrived.push(b);
  of_pe.end->wake();
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

// ---- bulks

void engine::move_bulks() {
  lanes_.bulks().poll(landed_);
  for (batch* head : landed_) deliver(head);
  landed_.clear();
}

void engine::bulk_completed(void* argument) {
  auto* out = static_cast<bulk_out*>(argument);
  inbox* sender = out->sender;
  sender->sent.push(out);
  sender->end->wake();
}

// ---- watching and the end

void engine::wake_one() {
  for (inbox& of_pe : inboxes_) {
    if (of_pe.end->wake()) return;
  }
}

void engine::advance_end() {
  if (lanes_.advance_end(outbox_.empty())) closed_.store(true, std::memory_order_release);
}

}  // namespace tsubu::transport::mpi
