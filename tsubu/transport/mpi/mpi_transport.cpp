#include "tsubu/transport/mpi/mpi_transport.hpp"

#include "tsubu/base/clock.hpp"
#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {

static_assert(lane_set<lanes<batch_pool, credit_return::at_release>>);

namespace {

// After this many polls in vain, owed credits no longer wait for a message to ride on. A reply that a
// task computes in a microsecond or two still takes them along.
constexpr std::uint32_t idle_polls_until_pay = 32;

std::vector<int> ranks_of(const grid& links) {
  std::vector<int> ranks;
  for (int link = 0; link < links.links(); ++link) ranks.push_back(links.neighbour(link));
  return ranks;
}

std::size_t peer_count(const grid& links) { return static_cast<std::size_t>(links.links() - 1); }

}  // namespace

mpi_transport::mpi_transport(const launch_settings& settings, bool oversubscribed)
    : links_(static_cast<pe_id>(world_size()), own_rank(), settings.shape_for(static_cast<int>(world_size()))),
      lanes_(ranks_of(links_), peer_count(links_),
             credit_limit(peer_count(links_), links_.links(), settings.batch_bytes), settings.batch_bytes,
             settings.batch_bytes),
      order_(lanes_.count()),
      backoff_(oversubscribed) {
  pe_ = own_rank();
  pe_count_ = static_cast<pe_id>(world_size());
  batch_bytes_ = settings.batch_bytes;
  shape_ = settings.shape_for(static_cast<int>(world_size()));
  // Open MPI gives the core away in each poll in vain when ranks share cores: a long spin would take that many
  // turns of the system's scheduler before a PE notices that it is idle.
  if (oversubscribed) spin_polls_ = oversubscribed_spin_polls;
  lanes_.open();
}

// ---- sending

batch* mpi_transport::acquire() {
  batch* b = lanes_.batches().take();
  b->size = 0;
  b->from = no_pe;
  b->bulk_bytes = 0;
  return b;
}

int mpi_transport::post(batch* filled, pe_id to) { return enqueue(filled, to, 0); }

int mpi_transport::post_bulk(batch* head, pe_id to, bulk_source source) {
  lanes_.bulks().offer(static_cast<std::uint64_t>(to), source);
  return enqueue(head, to, source.bytes.size());
}

int mpi_transport::enqueue(batch* b, pe_id to, std::size_t bulk_bytes) {
  check(to >= 0 && to < pe_count_ && to != pe_ && links_.is_neighbour(to),
        "a batch is posted to another PE of the job, over a link of its grid");
  check(b->size <= b->capacity, "a batch is filled beyond its capacity");
  const int link = links_.link_of(to);
  b->from = pe_;
  b->to = to;
  b->bulk_bytes = bulk_bytes;
  lanes_.post(link, b, {b->size, bulk_bytes == 0 ? kind::batch : kind::bulk_head});
  return lanes_.on_the_way(link);
}

// ---- receiving

batch* mpi_transport::poll() {
  ++polls_;
  if (lanes_.bulks().active()) [[unlikely]]
    move_bulks();
  // Before what arrives now, for it may come from the same PE.
  if (!ready_.empty()) [[unlikely]]
    return ready_.pop();
  if (order_.has_unplaced()) [[unlikely]]
    place_bulks();
  return arrival();
}

batch* mpi_transport::arrival() {
  if (!lanes_.listening()) [[unlikely]]
    return nullptr;  // closed
  int from = no_pe;
  while (batch* b = lanes_.take(from)) {
    if (batch* taken = admit(b, from)) return taken;
  }
  if (lanes_.has_chores()) lanes_.chores();
  if (++idle_polls_ % idle_polls_until_pay == 0) lanes_.pay_all();
  return nullptr;
}

// Returns the batch if it can be handed out now.
batch* mpi_transport::admit(batch* b, pe_id from) {
  const int link = links_.link_of(from);
  const label what = lanes_.admit(link, b);
  idle_polls_ = 0;
  backoff_.reset();
  b->from = from;
  b->to = pe_;
  if (what.what != kind::batch) [[unlikely]] {
    admit_other(b, link, what.what);
    return nullptr;
  }
  if (closing_) [[unlikely]]
    lanes_.owe(link);
  const auto pair = static_cast<std::size_t>(link);
  if (!order_.holds(pair)) [[likely]]
    return b;
  order_.hold(pair, b);
  return nullptr;
}

void mpi_transport::admit_other(batch* b, int link, kind what) {
  switch (what) {
    case kind::bulk_head:
      check(receiver_ != nullptr, "a bulk arrived before set_receiver()");
      order_.hold(static_cast<std::size_t>(link), b);
      if (ready_.empty()) place_bulks();
      return;
    case kind::clear_to_send:
      lanes_.bulks().cleared(static_cast<std::uint64_t>(b->from), b->from);
      break;
    case kind::credits:
      break;
    default:
      fail("a message of an unknown kind arrived");
  }
  lanes_.batches().put(b);
}

// A bulk may land only when all that came before it from the same source has been executed: its bytes
// go straight to memory that those batches may read or write. So this waits until ready_ is empty.
void mpi_transport::place_bulks() {
  order_.place_all([this](batch* head) {
    head->bulk_data = receiver_->place(head->from, {head->data(), head->size}, head->bulk_bytes);
    check(head->bulk_data != nullptr, "place() gave no place for a bulk");
    lanes_.bulks().receive(head, head->from, head->bulk_data, head->bulk_bytes);
    lanes_.post_news(links_.link_of(head->from), kind::clear_to_send);
  });
}

void mpi_transport::move_bulks() {
  lanes_.bulks().poll(landed_);
  for (const batch* head : landed_) {
    const int link = links_.link_of(head->from);
    if (closing_) lanes_.owe(link);
    order_.landed(static_cast<std::size_t>(link), ready_);
  }
  landed_.clear();
}

// What has been executed may have forked.
void mpi_transport::release(batch* taken) {
  if (is_forked_child) [[unlikely]]
    end_forked_child();
  const pe_id from = taken->from;
  lanes_.batches().put(taken);
  if (from == no_pe || closing_) return;
  lanes_.owe(links_.link_of(from));
}

// ---- waiting and the end

void mpi_transport::wait(std::int64_t timeout_us) {
  if (!ready_.empty()) return;
  lanes_.pay_all();
  const std::int64_t end_ns = now_ns() + timeout_us * 1000;
  for (;;) {
    if (lanes_.has_chores()) lanes_.chores();
    const std::size_t moving = lanes_.bulks().moving();
    if (moving != 0) move_bulks();
    // The source of one that has left may have been waited for.
    if (!ready_.empty() || lanes_.has_arrival() || lanes_.bulks().moving() < moving) return;
    if (interrupted()) return forget_interruption();
    const std::int64_t left_us = (end_ns - now_ns()) / 1000;
    if (left_us <= 0) return;
    // What is under way moves only while this PE looks: no naps then.
    if (lanes_.has_chores() || lanes_.bulks().active()) backoff_.reset();
    backoff_.once(left_us);
  }
}

// From now on credits do not wait for the floor above. But a bulk's head keeps its credit until the bytes are there: it
// has its clearance on the way meanwhile, and each message may cause only one that takes no credit.
void mpi_transport::close() {
  closing_ = true;
  for (int link = 0; link < links_.links(); ++link) {
    lanes_.owe_all_but(link, order_.bulks(static_cast<std::size_t>(link)));
  }
  while (!lanes_.advance_end(true)) drain();
}

// What arrives stays for later polls.
void mpi_transport::drain() {
  if (lanes_.bulks().active()) move_bulks();
  if (order_.has_unplaced()) place_bulks();
  if (batch* b = arrival()) {
    ready_.push(b);
  } else {
    backoff_.once(1000);
  }
}

void mpi_transport::abort(int code) { abort_job(code); }

}  // namespace tsubu::transport::mpi
