// The rings between one PE and the others of its group: where it sends, and where it receives.
//
// A ring holds few batches, and post() must never refuse one. So what finds a ring full waits in a chain in the
// sender's own memory, and goes on when the sender next polls.
//
// posted to a PE = in its ring + waiting + popped there and not yet released + released
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsubu/transport/threads/batch_arena.hpp"
#include "tsubu/transport/threads/rank_group.hpp"
#include "tsubu/transport/threads/ring.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class ring_set {
 public:
  // `own_batches` gets back what a ring has taken a copy of.
  ring_set(rank_group& shared, pe_id own, batch_arena& own_batches)
      : shared_(shared), own_batches_(own_batches), own_(own), peers_(shared.pe_count()) {}

  // ---- sending

  // Returns how many are on the way to that PE, this one included.
  int post(batch* b, pe_id to) {
    peer& p = peer_of(to);
    b->to = to;
    ++p.posted;
    if (p.waiting_first != nullptr || !push(p, b)) wait_for_room(p, b);
    std::uint64_t count = p.posted - p.released_seen;
    if (count > 2) {
      p.released_seen = p.to->released();
      count = p.posted - p.released_seen;
    }
    return static_cast<int>(count);
  }

  int on_the_way(pe_id to) const {
    const peer& p = peers_[static_cast<std::size_t>(to)];
    return p.to == nullptr ? 0 : static_cast<int>(p.posted - p.to->released());
  }

  // Whether batches wait for room in a ring.
  bool has_waiting() const { return overflowing_ != 0; }

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

  // ---- receiving

  // The next arrived batch, or null; the PEs take turns. `spare` gives a batch for what lies in the ring itself.
  template <class Spare>
  batch* next(Spare spare) {
    const std::size_t count = peers_.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (++next_peer_ >= count) next_peer_ = 0;
      ring* r = incoming(next_peer_);
      if (r == nullptr) continue;
      batch* b = r->pop(spare);
      if (b == nullptr) continue;
      b->from = static_cast<pe_id>(next_peer_);
      b->to = own_;
      return b;
    }
    return nullptr;
  }

  // A batch from that PE has been released.
  void count_released(pe_id from) { peer_of(from).from->count_released(); }

  // Whether a batch has arrived. Ordered behind the raised flag of a PE that is about to sleep.
  bool has_arrival() {
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      const ring* r = shared_.ring_of(static_cast<pe_id>(i), own_).load(std::memory_order_seq_cst);
      if (r != nullptr && r->has_batch()) return true;
    }
    return false;
  }

 private:
  struct peer {
    ring* to = nullptr;    // made by this PE
    ring* from = nullptr;  // made by the other
    std::uint64_t posted = 0;
    std::uint64_t released_seen = 0;
    batch* waiting_first = nullptr;  // a chain of those that found the ring full
    batch* waiting_last = nullptr;
  };

  peer& peer_of(pe_id pe) { return peers_[static_cast<std::size_t>(pe)]; }

  ring* incoming(std::size_t from) {
    peer& p = peers_[from];
    if (p.from == nullptr) p.from = shared_.ring_of(static_cast<pe_id>(from), own_).load(std::memory_order_acquire);
    return p.from;
  }

  bool push(peer& p, batch* b) {
    if (p.to == nullptr) {
      p.to = new ring;
      shared_.ring_of(own_, b->to).store(p.to, std::memory_order_seq_cst);
    }
    bool copied = false;
    const pe_id to = b->to;
    if (!p.to->push(b, copied)) return false;
    if (copied) own_batches_.put(b);
    shared_.public_part_of(to).bed.wake();
    return true;
  }

  void wait_for_room(peer& p, batch* b) {
    b->next.store(nullptr, std::memory_order_relaxed);
    if (p.waiting_first == nullptr) {
      p.waiting_first = b;
      ++overflowing_;
    } else {
      p.waiting_last->next.store(b, std::memory_order_relaxed);
    }
    p.waiting_last = b;
  }

  // Constant after construction.
  rank_group& shared_;
  batch_arena& own_batches_;
  const pe_id own_;

  // Touched by the own PE only.
  std::vector<peer> peers_;
  std::size_t next_peer_ = 0;  // whose ring was looked at last
  int overflowing_ = 0;        // destinations with batches that wait
};

}  // namespace tsubu::transport
