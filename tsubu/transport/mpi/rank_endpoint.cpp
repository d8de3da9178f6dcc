#include "tsubu/transport/mpi/rank_endpoint.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "tsubu/base/clock.hpp"
#include "tsubu/transport/mpi/failure.hpp"

namespace tsubu::transport::mpi {

namespace {

// Half of the least that a sender above is ready to have on the way.
constexpr std::uint32_t pay_at = 4;

constexpr std::uint32_t vain_polls_until_pay = 32;

// A look at MPI costs as much as so many polls of the rings of a few neighbours. While messages come from there, it is
// worth that in each poll.
constexpr int polls_between_rare_looks = 16;
constexpr int vain_looks_until_rare = 64;

}  // namespace

rank_endpoint::rank_endpoint(shared_group& near, const node_map& numbers, engine& far, int number)
    : engine_(far),
      inbox_(far.inbox_of(number)),
      first_pe_(far.first_pe()),
      numbers_(numbers),
      inner_(near, numbers.number_of(first_pe_ + number)),
      peers_(static_cast<std::size_t>(far.ranks()) * static_cast<std::size_t>(far.pes_per_rank())),
      order_(peers_.size()),
      backoff_(far.oversubscribed()) {
  pe_ = first_pe_ + number;
  pe_count_ = static_cast<pe_id>(peers_.size());
  pes_per_process_ = far.pes_per_rank();
  batch_bytes_ = inner_.batch_bytes();
  shape_ = far.shape();
  spin_polls_ = inner_.spin_polls();
  inner_.set_receiver(this);
  inbox_.end = &inner_;
}

rank_endpoint::~rank_endpoint() {
  inbox_.sent.take([](bulk_out* out) { delete out; });
}

// ---- sending

batch* rank_endpoint::acquire() {
  batch* b = inner_.acquire();
  b->from = pe_;
  return b;
}

int rank_endpoint::post(batch* filled, pe_id to) {
  const int near = numbers_.number_of(to);
  if (near >= 0) return inner_.post(filled, near);
  return submit(filled, to, kind::batch);
}

int rank_endpoint::post_bulk(batch* head, pe_id to, bulk_source source) {
  const int near = numbers_.number_of(to);
  if (near >= 0) return inner_.post_bulk(head, near, source);
  auto* out = new bulk_out;
  out->source = source;
  out->sender = &inbox_;
  head->bulk_data = reinterpret_cast<std::byte*>(out);
  head->bulk_bytes = source.bytes.size();
  return submit(head, to, kind::bulk_head);
}

int rank_endpoint::submit(batch* b, pe_id to, kind what) {
  check(to >= 0 && to < pe_count_ && engine_.leads_to(to),
        "a batch is posted to another PE of the job, over a link of its grid");
  check(b->size <= b->capacity, "a batch is filled beyond its capacity");
  peer& p = peer_of(to);
  const std::uint32_t posted = ++p.posted;
  b->from = pe_;
  b->to = to;
  write_label(b, {b->size, what, 0, pe_ - first_pe_, engine_.number_in_rank(to), take_owed(p)});
  engine_.submit(b, inner_);
  return static_cast<int>(posted - inbox_.released[static_cast<std::size_t>(to)].load(std::memory_order_acquire));
}

int rank_endpoint::on_the_way(pe_id to) const {
  const int near = numbers_.number_of(to);
  if (near >= 0) return inner_.on_the_way(near);
  const auto i = static_cast<std::size_t>(to);
  return static_cast<int>(peers_[i].posted - inbox_.released[i].load(std::memory_order_acquire));
}

// ---- receiving

batch* rank_endpoint::poll() {
  ++polls_;
  if (--polls_to_look_ <= 0) look();
  if (ready_.empty()) collect();
  // By turns, so that neither side holds up the other.
  far_turn_ = !far_turn_;
  batch* b = far_turn_ ? far() : near();
  if (b == nullptr) b = far_turn_ ? near() : far();
  if (b == nullptr && ++vain_polls_ % vain_polls_until_pay == 0) pay_all();
  return b;
}

batch* rank_endpoint::near() {
  batch* b = inner_.poll();
  if (b == nullptr) return nullptr;
  b->from = numbers_.pe_of(b->from);
  b->to = pe_;
  return b;
}

batch* rank_endpoint::far() {
  if (ready_.empty()) return nullptr;
  vain_polls_ = 0;
  return ready_.pop();
}

void rank_endpoint::look() {
  const int came = engine_.move(inner_);
  if (came > 0) {
    vain_looks_ = 0;
    backoff_.reset();
  } else {
    ++vain_looks_;
  }
  polls_to_look_ = vain_looks_ < vain_looks_until_rare ? 1 : polls_between_rare_looks;
}

// All that was handed out before has been executed: bulks may land now.
void rank_endpoint::collect() {
  if (order_.has_unplaced()) [[unlikely]]
    place_bulks();
  if (!inbox_.sent.empty()) [[unlikely]]
    tell_sources();
  while (!inbox_.fetched.empty()) sort_in(inbox_.fetched.pop());
  if (!inbox_.arrived.empty()) inbox_.arrived.take([this](batch* b) { sort_in(b); });
}

// A bulk's head comes twice: the second time its bytes are there.
void rank_endpoint::sort_in(batch* b) {
  const auto pair = static_cast<std::size_t>(b->from);
  if (!b->is_bulk() && !order_.holds(pair)) {
    ready_.push(b);
  } else if (order_.waits_for(pair, b)) {
    order_.landed(pair, ready_);
  } else {
    order_.hold(pair, b);
  }
}

void rank_endpoint::place_bulks() {
  check(receiver_ != nullptr, "a bulk arrived before set_receiver()");
  order_.place_all([this](batch* head) {
    const pe_id from = head->from;
    head->bulk_data = receiver_->place(from, {head->data(), head->size}, head->bulk_bytes);
    check(head->bulk_data != nullptr, "place() gave no place for a bulk");
    write_label(head, {0, kind::clear_to_send, 0, pe_ - first_pe_, engine_.number_in_rank(from)});
    engine_.submit(head, inner_);
  });
}

std::byte* rank_endpoint::place(pe_id from, std::span<const std::byte> head, std::size_t bytes) {
  return receiver_->place(numbers_.pe_of(from), head, bytes);
}

message_facts rank_endpoint::facts_of(batch& posted, std::size_t bulk_bytes) const {
  return receiver_->facts_of(posted, bulk_bytes);
}

void rank_endpoint::tell_sources() {
  inbox_.sent.take([](bulk_out* out) {
    const bulk_source source = out->source;
    delete out;
    if (source.done != nullptr) source.done(source.argument);
  });
}

// What has been executed may have forked.
void rank_endpoint::release(batch* taken) {
  if (is_forked_child) [[unlikely]]
    end_forked_child();
  const pe_id from = taken->from;
  const int near = numbers_.number_of(from);
  if (near >= 0) {
    taken->from = near;
    inner_.release(taken);
    return;
  }
  engine_.give_back(taken);
  if (!closing_) owe(from);
}

// ---- news of releases

std::uint32_t rank_endpoint::take_owed(peer& p) {
  const std::uint32_t n = std::min(p.owed, most_label_releases);
  p.owed -= n;
  return n;
}

void rank_endpoint::owe(pe_id to) {
  peer& p = peer_of(to);
  if (++p.owed >= pay_at) {
    pay(&to, &to + 1);
  } else if (!p.listed) {
    p.listed = true;
    owing_.push_back(to);
  }
}

void rank_endpoint::pay_all() {
  if (owing_.empty()) return;
  std::sort(owing_.begin(), owing_.end());
  for (pe_id to : owing_) peer_of(to).listed = false;
  const pe_id* const end = owing_.data() + owing_.size();
  for (const pe_id* first = owing_.data(); first != end;) {
    const int rank = engine_.rank_of(*first);
    const pe_id* last = std::find_if(first, end, [&](pe_id pe) { return engine_.rank_of(pe) != rank; });
    pay(first, last);
    first = last;
  }
  owing_.clear();
}

// To PEs of one rank.
void rank_endpoint::pay(const pe_id* first, const pe_id* last) {
  while (first != last) {
    batch* b = nullptr;
    for (; first != last; ++first) {
      peer& p = peer_of(*first);
      if (p.owed == 0) continue;
      if (b == nullptr) b = inner_.acquire();
      if (b->size + sizeof(release_record) > b->capacity) break;
      const release_record r{static_cast<std::uint16_t>(engine_.number_in_rank(*first)),
                             static_cast<std::uint16_t>(take_owed(p))};
      std::memcpy(b->data() + b->size, &r, sizeof r);
      b->size += sizeof r;
      b->to = *first;
    }
    if (b == nullptr) return;
    b->from = pe_;
    write_label(b, {b->size, kind::releases, 0, pe_ - first_pe_});
    engine_.submit(b, inner_);
  }
}

// ---- sleeping

void rank_endpoint::wait(std::int64_t timeout_us) {
  if (!ready_.empty() || order_.has_unplaced()) return;
  pay_all();
  const std::int64_t end_ns = now_ns() + timeout_us * 1000;
  while (!has_far_work() && !inner_.has_work() && !interrupted()) {
    if (engine_.begin_watch()) {
      keep_watch(end_ns);
      engine_.end_watch();
      break;
    }
    const std::int64_t left_us = (end_ns - now_ns()) / 1000;
    if (left_us <= 0) break;
    inner_.sleep(left_us, [this] { return has_far_work() || interrupted() || !engine_.watched(); });
    if (inner_.has_waiting()) break;
  }
  forget_interruption();
  // Whoever gets up looks that another watches on, for those who sleep on.
  if (!engine_.watched()) engine_.wake_one();
}

void rank_endpoint::keep_watch(std::int64_t end_ns) {
  for (;;) {
    if (engine_.move(inner_) > 0) backoff_.reset();
    if (has_far_work() || inner_.has_work() || interrupted()) return;
    const std::int64_t left_us = (end_ns - now_ns()) / 1000;
    if (left_us <= 0) return;
    // What is under way moves only while somebody looks: no naps then.
    if (engine_.needs_care()) backoff_.reset();
    const std::int64_t nap_us = backoff_.next_us();
    if (nap_us == 0) {
      sched_yield();
    } else {
      inner_.sleep(std::min(nap_us, left_us), [this] { return has_far_work() || interrupted(); });
    }
    if (inner_.has_waiting()) return;
  }
}

// ---- the end

void rank_endpoint::close() {
  closing_ = true;
  engine_.begin_close();
  while (!engine_.closed()) {
    // What arrives stays for later polls; its bulks land. PEs of this node may come later, and first need what this
    // one has posted.
    collect();
    const bool kept = inner_.keep_arrivals();
    if (engine_.move(inner_) > 0 || kept) {
      backoff_.reset();
    } else {
      backoff_.once(1000);
    }
  }
  inner_.close();
}

void rank_endpoint::abort(int code) { abort_job(code); }

}  // namespace tsubu::transport::mpi
