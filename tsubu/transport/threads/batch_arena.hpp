// The batches that one PE has made, wherever they are now.
//
// A common pool would need a lock for each batch, and would hand a PE memory that lies in another core's cache. So
// every batch goes back to the PE that made it: onto a list that only this PE touches, or, when another PE gives it
// back, onto a stack that any thread may push to and that this PE empties at once when it looks.
//
// made = in somebody's hands or on the way + on the stack + heads to be told of + free
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "tsubu/transport/threads/rank_group.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class batch_arena {
 public:
  batch_arena(rank_group& shared, pe_id owner)
      : returned_(shared.public_part_of(owner).returned),
        bed_(shared.public_part_of(owner).bed),
        owner_(owner),
        batch_bytes_(shared.batch_bytes),
        memory_of_one_(sizeof(batch) + shared.batch_bytes + shared.room_behind) {}
  ~batch_arena() {
    for (batch* b : made_) {
      b->~batch();
      ::operator delete(b, std::align_val_t{64});
    }
  }
  batch_arena(const batch_arena&) = delete;
  batch_arena& operator=(const batch_arena&) = delete;

  // The arena that has made `b`.
  static batch_arena& maker_of(const batch* b) { return *static_cast<batch_arena*>(b->own); }

  // An empty batch.
  batch* take() {
    // A PE that fills batches without a poll in between shall use again what has been given back.
    if (free_ == nullptr) fetch_returned();
    batch* b = free_;
    if (b == nullptr) return make();
    free_ = b->next.load(std::memory_order_relaxed);
    --free_count_;
    b->size = 0;
    b->bulk_bytes = 0;
    b->from = owner_;
    return b;
  }

  // Takes back a batch of this arena. By the owner.
  void put(batch* b) {
    b->next.store(free_, std::memory_order_relaxed);
    free_ = b;
    ++free_count_;
  }

  // The same, by any thread.
  void put_from_any_thread(batch* b) {
    batch* top = returned_.load(std::memory_order_relaxed);
    // The sender of a bulk may sleep until it hears that its bytes are taken, so it is woken.
    const bool wake = b->is_bulk();
    do {
      b->next.store(top, std::memory_order_relaxed);
    } while (!returned_.compare_exchange_weak(top, b, std::memory_order_seq_cst, std::memory_order_relaxed));
    if (wake) bed_.wake();
  }

  // Whether others have given back something; in `order` with what the caller has done before.
  bool has_returned(std::memory_order order) const { return returned_.load(order) != nullptr; }

  // Makes free again what others have given back. Heads of bulks are kept apart: their sources must hear first.
  void fetch_returned() {
    batch* b = returned_.exchange(nullptr, std::memory_order_acquire);
    while (b != nullptr) {
      batch* after = b->next.load(std::memory_order_relaxed);
      if (b->is_bulk()) {
        returned_heads_.push_back(b);
      } else {
        put(b);
      }
      b = after;
    }
  }

  bool has_returned_heads() const { return !returned_heads_.empty(); }

  // The heads whose bytes have been taken. They are the caller's now, who puts them back.
  std::vector<batch*> take_returned_heads() { return std::exchange(returned_heads_, {}); }

  std::size_t bytes_in_use() const { return (made_.size() - free_count_) * memory_of_one_; }
  std::size_t bytes_allocated() const { return made_.size() * memory_of_one_; }

 private:
  batch* make() {
    void* memory = ::operator new(memory_of_one_, std::align_val_t{64});
    auto* b = new (memory) batch;
    b->capacity = static_cast<std::uint32_t>(batch_bytes_);
    b->from = owner_;
    b->own = this;
    made_.push_back(b);
    return b;
  }

  // Touched by all PEs.
  std::atomic<batch*>& returned_;
  parking& bed_;

  // Constant after construction.
  const pe_id owner_;
  const std::size_t batch_bytes_;
  const std::size_t memory_of_one_;

  // Touched by the owner only.
  std::vector<batch*> returned_heads_;
  std::vector<batch*> made_;  // all of them
  batch* free_ = nullptr;     // a chain of free_count_
  std::size_t free_count_ = 0;
};

}  // namespace tsubu::transport
