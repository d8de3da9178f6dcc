// One PE's end among the threads of a process: a ring of batches per pair in use, and each batch goes home
// to the PE that filled it.
//
// A transport of its own, and the inner part of the MPI transport when a rank holds several PEs.
#pragma once

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/threads/parking.hpp"
#include "tsubu/transport/threads/ring.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

// What others may touch of a PE.
struct alignas(128) landing {
  std::atomic<batch*> come_home{nullptr};  // a stack of this PE's batches that others have released
  parking bed;
};

// What the PEs of a process share. `room_behind`: bytes of a batch's memory behind its capacity.
struct crew {
  crew(int pes, std::size_t batch_bytes_, std::size_t room_behind_ = 0)
      : batch_bytes(batch_bytes_),
        room_behind(room_behind_),
        landings(static_cast<std::size_t>(pes)),
        rings(static_cast<std::size_t>(pes) * static_cast<std::size_t>(pes)),
        everyone(pes) {}
  ~crew() {
    for (auto& r : rings) delete r.load(std::memory_order_relaxed);
  }

  std::size_t pe_count() const { return landings.size(); }
  std::atomic<ring*>& slot(pe_id from, pe_id to) {
    return rings[static_cast<std::size_t>(to) * pe_count() + static_cast<std::size_t>(from)];
  }

  std::size_t batch_bytes;
  std::size_t room_behind;
  const int cores = usable_cores();  // before any thread is bound to one of them
  std::vector<landing> landings;
  std::vector<std::atomic<ring*>> rings;  // made by the producer when it first sends
  std::barrier<> everyone;
};

class threads_end final : public transport {
 public:
  threads_end(crew& shared, pe_id pe, int hops = 1) : shared_(shared), peers_(shared.pe_count()) {
    pe_ = pe;
    pe_count_ = static_cast<pe_id>(shared.pe_count());
    batch_bytes_ = shared.batch_bytes;
    hops_ = hops;
    pes_per_process_ = pe_count_;
    spin_polls_ = pe_count_ <= shared.cores ? 2000 : 2;
  }

  ~threads_end() override {
    for (batch* b : arena_) {
      b->~batch();
      ::operator delete(b, std::align_val_t{64});
    }
  }

  batch* acquire() override {
    // A PE that fills batches without a poll in between shall use again what has come home.
    if (free_ == nullptr) take_home();
    batch* b = free_;
    if (b == nullptr) return make_batch();
    free_ = b->next.load(std::memory_order_relaxed);
    --free_count_;
    b->size = 0;
    b->bulk_bytes = 0;
    b->from = pe_;
    return b;
  }

  int post(batch* b, pe_id to) override {
    peer& p = peers_[static_cast<std::size_t>(to)];
    b->to = to;
    ++p.posted;
    if (p.waiting_first != nullptr || !push(p, b)) queue(p, b);
    std::uint64_t count = p.posted - p.released_seen;
    if (count > 2) {
      p.released_seen = p.to->released();
      count = p.posted - p.released_seen;
    }
    return static_cast<int>(count);
  }

  int post_bulk(batch* head, pe_id to, bulk_source source) override {
    head->bulk_data = const_cast<std::byte*>(source.bytes.data());
    head->bulk_bytes = source.bytes.size();
    if (source.done != nullptr) bulks_out_.push_back({head, source.done, source.argument});
    return post(head, to);
  }

  int on_the_way(pe_id to) const override {
    const peer& p = peers_[static_cast<std::size_t>(to)];
    return p.to == nullptr ? 0 : static_cast<int>(p.posted - p.to->released());
  }

  batch* poll() override {
    ++polls_;
    if (landing_().come_home.load(std::memory_order_relaxed) != nullptr) take_home();
    if (!landed_.empty()) tell_sources();
    if (overflowing_ != 0) push_waiting();
    const auto count = static_cast<std::size_t>(pe_count_);
    for (std::size_t i = 0; i < count; ++i) {
      if (++next_peer_ >= count) next_peer_ = 0;
      ring* r = incoming(next_peer_);
      if (r == nullptr) continue;
      batch* b = r->pop([this] { return acquire(); });
      if (b == nullptr) continue;
      b->from = static_cast<pe_id>(next_peer_);
      b->to = pe_;
      if (b->is_bulk()) land(b);
      return b;
    }
    return nullptr;
  }

  void release(batch* b) override {
    if (b->from != pe_) peers_[static_cast<std::size_t>(b->from)].from->count_released();
    auto* owner = static_cast<threads_end*>(b->own);
    if (owner == this) {
      keep(b);
    } else {
      owner->welcome_home(b);
    }
  }

  std::size_t bytes_in_use() const override { return (arena_.size() - free_count_) * memory_of_one(); }
  std::size_t bytes_allocated() const override { return arena_.size() * memory_of_one(); }

  void wait(std::int64_t timeout_us) override {
    sleep(timeout_us, [] { return false; });
  }

  // wait(), which also ends when another wakes this PE, and does not begin when `more_work` says so.
  template <class MoreWork>
  void sleep(std::int64_t timeout_us, MoreWork more_work) {
    // Nobody tells when a full ring has room again.
    constexpr std::int64_t look_again_us = 200;
    if (overflowing_ != 0) timeout_us = std::min(timeout_us, look_again_us);
    landing_().bed.sleep(std::chrono::microseconds(timeout_us), [&] { return has_work() || more_work(); });
  }

  // Whether poll() may find something.
  bool has_work() {
    if (!landed_.empty() || landing_().come_home.load(std::memory_order_seq_cst) != nullptr) return true;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      const ring* r = shared_.slot(static_cast<pe_id>(i), pe_).load(std::memory_order_seq_cst);
      if (r != nullptr && r->has_batch()) return true;
    }
    return false;
  }

  // By any thread, after its work is published. False if this PE did not sleep.
  bool wake() { return landing_().bed.wake(); }

  // By this PE: a batch that it has made comes back.
  void keep(batch* b) {
    b->next.store(free_, std::memory_order_relaxed);
    free_ = b;
    ++free_count_;
  }

  // The same by any thread.
  void welcome_home(batch* b) {
    auto& stack = landing_().come_home;
    batch* top = stack.load(std::memory_order_relaxed);
    // A bulk's sender may sleep until it hears that its bytes are taken, so it is woken.
    const bool wake = b->is_bulk();
    do {
      b->next.store(top, std::memory_order_relaxed);
    } while (!stack.compare_exchange_weak(top, b, std::memory_order_seq_cst, std::memory_order_relaxed));
    if (wake) landing_().bed.wake();
  }

  void close() override { shared_.everyone.arrive_and_wait(); }

  [[noreturn]] void abort(int code) override { std::_Exit(code); }

 private:
  // Posted to a PE = in its ring + in `waiting` + popped there and not yet released + released.
  struct peer {
    ring* to = nullptr;    // made by this PE
    ring* from = nullptr;  // made by the other
    std::uint64_t posted = 0;
    std::uint64_t released_seen = 0;
    batch* waiting_first = nullptr;  // found the ring full
    batch* waiting_last = nullptr;
  };
  struct bulk_out {
    batch* head;
    void (*done)(void*);
    void* argument;
  };

  std::size_t memory_of_one() const { return sizeof(batch) + batch_bytes_ + shared_.room_behind; }
  landing& landing_() { return shared_.landings[static_cast<std::size_t>(pe_)]; }

  ring* incoming(std::size_t from) {
    peer& p = peers_[from];
    if (p.from == nullptr) p.from = shared_.slot(static_cast<pe_id>(from), pe_).load(std::memory_order_acquire);
    return p.from;
  }

  batch* make_batch() {
    void* memory = ::operator new(memory_of_one(), std::align_val_t{64});
    auto* b = new (memory) batch;
    b->capacity = static_cast<std::uint32_t>(batch_bytes_);
    b->from = pe_;
    b->own = this;
    arena_.push_back(b);
    return b;
  }

  bool push(peer& p, batch* b) {
    if (p.to == nullptr) {
      p.to = new ring;
      shared_.slot(pe_, b->to).store(p.to, std::memory_order_seq_cst);
    }
    bool copied = false;
    const pe_id to = b->to;
    if (!p.to->push(b, copied)) return false;
    if (copied) keep(b);
    shared_.landings[static_cast<std::size_t>(to)].bed.wake();
    return true;
  }

  void queue(peer& p, batch* b) {
    b->next.store(nullptr, std::memory_order_relaxed);
    if (p.waiting_first == nullptr) {
      p.waiting_first = b;
      ++overflowing_;
    } else {
      p.waiting_last->next.store(b, std::memory_order_relaxed);
    }
    p.waiting_last = b;
  }

  void push_waiting() {
    for (peer& p : peers_) {
      while (p.waiting_first != nullptr) {
        batch* b = p.waiting_first;
        batch* after = b->next.load(std::memory_order_relaxed);
        if (!push(p, b)) break;
        p.waiting_first = after;
        if (after == nullptr) --overflowing_;
      }
    }
  }

  // Copies the bulk out of the sender's memory; the sender learns that when the head comes home.
  void land(batch* head) {
    std::byte* place = receiver_->place(head->from, {head->data(), head->size}, head->bulk_bytes);
    std::memcpy(place, head->bulk_data, head->bulk_bytes);
    head->bulk_data = place;
  }

  void take_home() {
    batch* b = landing_().come_home.exchange(nullptr, std::memory_order_acquire);
    while (b != nullptr) {
      batch* after = b->next.load(std::memory_order_relaxed);
      if (b->is_bulk()) {
        landed_.push_back(b);
      } else {
        keep(b);
      }
      b = after;
    }
  }

  void tell_sources() {
    std::vector<batch*> heads;
    heads.swap(landed_);
    for (batch* head : heads) {
      tell_source(head);
      keep(head);
    }
  }

  void tell_source(const batch* head) {
    for (std::size_t i = 0; i < bulks_out_.size(); ++i) {
      if (bulks_out_[i].head != head) continue;
      const bulk_out sent = bulks_out_[i];
      bulks_out_[i] = bulks_out_.back();
      bulks_out_.pop_back();
      sent.done(sent.argument);
      return;
    }
  }

  crew& shared_;
  std::vector<peer> peers_;
  std::vector<bulk_out> bulks_out_;
  std::vector<batch*> landed_;  // heads that came home; their sources are told by poll()
  std::vector<batch*> arena_;   // every batch made here
  batch* free_ = nullptr;
  std::size_t free_count_ = 0;
  std::size_t next_peer_ = 0;
  int overflowing_ = 0;  // destinations with batches in `waiting`
};

}  // namespace tsubu::transport
