// The rings between one PE and the others of its group: where it sends, and where it receives.
//
// A ring holds few batches, and post() must never refuse one. So what finds a ring full waits in a chain in the
// sender's own memory, and goes on when the sender next polls. The bytes of a bulk that goes in pieces (pieces.hpp)
// follow their head through the ring; what is posted behind them waits as if the ring were full. Pieces are not
// counted.
//
// A PE looks for arrivals only in the rings that have been made to it, which are few even where PEs are many; a
// count in its public part says when there are more of them.
//
// posted to a PE = in its ring + waiting + popped there and not yet released + released
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/shared/batch_arena.hpp"
#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/shared/pieces.hpp"
#include "tsubu/transport/shared/ring.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class ring_set {
 public:
  // `own_batches` gets back what a ring has taken a copy of.
  ring_set(shared_group& shared, pe_id own, batch_arena& own_batches)
      : shared_(shared), own_batches_(own_batches), own_(own), peers_(shared.pe_count()) {}

  // ---- sending

  // Returns how many are on the way to that PE, this one included.
  int post(batch* b, pe_id to) {
    peer& p = peer_of(to);
    b->to = to;
    ++p.posted;
    if (p.stalled || !push(p, b)) {
      p.waiting.push(b);
      stall(p);
    }
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

  // Whether something waits for room in a ring.
  bool has_waiting() const { return stalled_ != 0; }

  void push_waiting() {
    for (peer& p : peers_) {
      if (p.stalled) push_waiting(p);
    }
  }

  // ---- receiving

  // The next arrived batch, or null; the PEs take turns. `spare` gives a batch for what lies in the ring itself.
  template <class Spare>
  batch* next(Spare spare) {
    find_new_rings(std::memory_order_acquire);
    const std::size_t count = incoming_.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (++next_incoming_ >= count) next_incoming_ = 0;
      const pe_id from = incoming_[next_incoming_].from;
      batch* b = incoming_[next_incoming_].arrives_in->pop(
          spare, [&](handle h) { return shared_.batch_at(h, from); },
          [&](bool fits) { shared_.check(fits, "a batch arrived in a slot of a ring that is longer than the slot"); });
      if (b == nullptr) continue;
      shared_.check(b->size <= shared_.facts().batch_bytes, "an arrived batch is larger than a batch can be");
      b->from = from;
      b->to = own_;
      return b;
    }
    return nullptr;
  }

  // A batch from that PE has been released.
  void count_released(pe_id from) {
    const auto sender = static_cast<std::size_t>(from);
    shared_.check(sender < peers_.size() && peers_[sender].from != nullptr,
                  "a batch is released that says it came from a PE that has sent none");
    peers_[sender].from->count_released();
  }

  // Who sent the batch that next() has given last.
  pe_id last_sender() const { return incoming_[next_incoming_].from; }

  // Whether a batch has arrived. Ordered behind the raised flag of a PE that is about to sleep.
  bool has_arrival() {
    find_new_rings(std::memory_order_seq_cst);
    return std::any_of(incoming_.begin(), incoming_.end(),
                       [](const arrival_ring& r) { return r.arrives_in->has_batch(); });
  }

 private:
  struct peer {
    ring* to = nullptr;    // made by this PE
    ring* from = nullptr;  // made by the other
    std::uint64_t posted = 0;
    std::uint64_t released_seen = 0;
    bool stalled = false;               // something waits:
    std::span<const std::byte> pieces;  // what is left of a bulk whose head has been pushed,
    batch_queue waiting;                // and then batches
  };

  struct arrival_ring {
    ring* arrives_in;
    pe_id from;
  };

  peer& peer_of(pe_id pe) { return peers_[static_cast<std::size_t>(pe)]; }

  void find_new_rings(std::memory_order order) {
    if (shared_.public_part_of(own_).rings.load(order) != incoming_.size()) [[unlikely]]
      look_for_rings();
  }

  [[gnu::noinline]] void look_for_rings() {
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      if (peers_[i].from != nullptr) continue;
      const auto from = static_cast<pe_id>(i);
      const handle h = shared_.ring_of(from, own_).load(std::memory_order_seq_cst);
      if (h == 0) continue;
      sanitizer::acquired(&shared_.ring_of(from, own_));
      peers_[i].from = shared_.ring_at(h, from);
      incoming_.push_back({peers_[i].from, from});
    }
  }

  bool push(peer& p, batch* b) {
    if (p.to == nullptr) [[unlikely]]
      make_ring(p, b->to);
    const pe_id to = b->to;
    // The head is the receiver's as soon as it is pushed.
    std::span<const std::byte> pieces;
    if (b->is_bulk() && shared_.goes_in_pieces(to, b->bulk_bytes)) [[unlikely]]
      pieces = {b->bulk_data, b->bulk_bytes};
    bool copied = false;
    if (!p.to->push(b, shared_.memory().handle_of(b), copied)) return false;
    if (copied) own_batches_.put(b);
    shared_.bed_of(to).wake();
    if (!pieces.empty()) [[unlikely]] {
      p.pieces = pieces;
      ++in_pieces_;
      stall(p);
    }
    return true;
  }

  void make_ring(peer& p, pe_id to) {
    p.to = new (shared_.allocate(own_, sizeof(ring))) ring;
    sanitizer::releases(&shared_.ring_of(own_, to));
    shared_.ring_of(own_, to).store(shared_.memory().handle_of(p.to), std::memory_order_seq_cst);
    shared_.public_part_of(to).rings.fetch_add(1, std::memory_order_seq_cst);
  }

  void stall(peer& p) {
    if (p.stalled) return;
    p.stalled = true;
    ++stalled_;
  }

  void push_waiting(peer& p) {
    while (!p.pieces.empty() || !p.waiting.empty()) {
      const bool cut = !p.pieces.empty();
      if (!p.to->holds_fewer_than(cut ? pieces::most_of_a_bulk(in_pieces_) : ring::slots)) return;
      push(p, cut ? next_piece(p) : p.waiting.pop());
    }
    p.stalled = false;
    --stalled_;
  }

  batch* next_piece(peer& p) {
    batch* piece = own_batches_.take();
    const std::size_t bytes = std::min({p.pieces.size(), std::size_t{piece->capacity}, pieces::most_bytes});
    std::memcpy(piece->data(), p.pieces.data(), bytes);
    piece->size = static_cast<std::uint32_t>(bytes);
    piece->to = static_cast<pe_id>(&p - peers_.data());
    p.pieces = p.pieces.subspan(bytes);
    if (p.pieces.empty()) --in_pieces_;
    return piece;
  }

  // Constant after construction.
  shared_group& shared_;
  batch_arena& own_batches_;
  const pe_id own_;

  // Touched by the own PE only.
  std::vector<peer> peers_;
  std::vector<arrival_ring> incoming_;  // those known, in the order in which they were found
  std::size_t next_incoming_ = 0;       // which of them was looked at last
  int stalled_ = 0;                     // how many peers are
  int in_pieces_ = 0;                   // bulks of which pieces are left
};

}  // namespace tsubu::transport
