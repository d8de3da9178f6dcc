// The batches that one PE has made, wherever they are now.
//
// A common pool would need a lock for each batch, and would hand a PE memory that lies in another core's cache. So
// every batch goes back to the PE that made it: onto a list that only this PE touches, or, when another PE gives it
// back, onto a stack that all PEs of the group may push to and that this PE empties at once when it looks.
//
// made = in somebody's hands or on the way + on the stack + heads to be told of + free
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class batch_arena {
 public:
  batch_arena(shared_group& shared, pe_id owner)
      : shared_(shared), returned_(shared.public_part_of(owner).returned), owner_(owner) {}
  batch_arena(const batch_arena&) = delete;
  batch_arena& operator=(const batch_arena&) = delete;

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

  // Takes back a batch of any arena of the group. By the owner.
  void give_back(batch* b) {
    const pe_id maker = maker_of(b);
    shared_.check(shared_.has_made(maker, b), "a batch says that a PE has made it that has not");
    if (maker == owner_) {
      put(b);
    } else {
      push_returned(b, maker);
    }
  }

  // Takes back a batch of this arena, by any thread of this process.
  void put_from_any_thread(batch* b) { push_returned(b, owner_); }

  // Whose arena it is that has made `b`.
  static pe_id maker_of(const batch* b) { return static_cast<pe_id>(reinterpret_cast<std::intptr_t>(b->own)); }

  // Makes `b` say again whose it is, when its `own` has been used for something else.
  void mark(batch* b) const { b->own = reinterpret_cast<void*>(std::intptr_t{owner_}); }

  // Whether others have given back something; in `order` with what the caller has done before.
  bool has_returned(std::memory_order order) const { return returned_.load(order) != 0; }

  // Makes free again what others have given back. Heads of bulks are kept apart: their sources must hear first.
  void fetch_returned() {
    handle h = returned_.exchange(0, std::memory_order_acquire);
    if (h != 0) sanitizer::acquired(&returned_);
    for (std::size_t back = 1; h != 0; ++back) {
      // A batch that came back twice would be its own follower.
      shared_.check(back <= made_, "more batches of this PE come back than it has made");
      batch* b = shared_.batch_at(h, owner_);
      h = reinterpret_cast<handle>(b->next.load(std::memory_order_relaxed));
      if (b->is_bulk()) {
        returned_heads_.push_back(b);
      } else {
        put(b);
      }
    }
  }

  bool has_returned_heads() const { return !returned_heads_.empty(); }

  // The heads whose bytes have been taken. They are the caller's now, who puts them back.
  std::vector<batch*> take_returned_heads() { return std::exchange(returned_heads_, {}); }

  std::size_t bytes_in_use() const { return (made_ - free_count_) * shared_.memory_of_a_batch(); }
  std::size_t bytes_allocated() const { return made_ * shared_.memory_of_a_batch(); }

 private:
  void push_returned(batch* b, pe_id maker) {
    public_part& of_maker = shared_.public_part_of(maker);
    const handle given = shared_.memory().handle_of(b);
    // The sender of a bulk may sleep until it hears that its bytes are taken, so it is woken.
    const bool wake = b->is_bulk();
    sanitizer::releases(&of_maker.returned);
    handle top = of_maker.returned.load(std::memory_order_relaxed);
    do {
      b->next.store(reinterpret_cast<batch*>(top), std::memory_order_relaxed);  // a handle, while it is on the stack
    } while (
        !of_maker.returned.compare_exchange_weak(top, given, std::memory_order_seq_cst, std::memory_order_relaxed));
    if (wake) shared_.bed_of(maker).wake();
  }

  batch* make() {
    auto* b = new (shared_.allocate(owner_, shared_.memory_of_a_batch())) batch;
    b->capacity = static_cast<std::uint32_t>(shared_.facts().batch_bytes);
    b->from = owner_;
    mark(b);
    ++made_;
    return b;
  }

  // Touched by all PEs.
  shared_group& shared_;
  std::atomic<handle>& returned_;

  // Constant after construction.
  const pe_id owner_;

  // Touched by the owner only.
  std::vector<batch*> returned_heads_;
  std::size_t made_ = 0;   // all of them
  batch* free_ = nullptr;  // a chain of free_count_
  std::size_t free_count_ = 0;
};

}  // namespace tsubu::transport
