// A single-producer single-consumer ring from one PE to another, in memory that both share.
//
// A slot is one cache line: a tag, and room for a short batch. A batch of up to 56 bytes is copied
// into its slot, so that a lone message costs one line transfer; a longer one is passed by its handle.
//
// tag: 0 = empty (the producer's to fill); 2 * size + 1 = `size` bytes inline; otherwise the handle
// of a batch, which is even. Only the producer leaves 0, only the consumer returns to it.
#pragma once

#include <array>
#include <atomic>
#include <cstring>

#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/transport/shared/memory.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class ring {
 public:
  static constexpr std::size_t slots = 32;
  static constexpr std::size_t inline_bytes = 56;

  // Producer: false when the ring is full. `where` is the handle of `b`. An inline batch stays the producer's (it is
  // copied).
  bool push(batch* b, handle where, bool& copied) {
    slot& s = slots_[write_ % slots];
    if (s.tag.load(std::memory_order_acquire) != 0) return false;
    sanitizer::acquired(&s);
    copied = b->size <= inline_bytes && !b->is_bulk();
    handle tag = where;
    if (copied) {
      std::memcpy(s.bytes, b->data(), inline_bytes);
      tag = 2 * handle{b->size} + 1;
    }
    sanitizer::releases(&s);
    s.tag.store(tag, std::memory_order_release);
    ++write_;
    return true;
  }

  // Producer: whether fewer than `most` of what it has pushed are still there (1 to `slots`). Then push() takes a
  // batch.
  bool holds_fewer_than(std::size_t most) const {
    return slots_[(write_ - most) % slots].tag.load(std::memory_order_acquire) == 0;
  }

  // Consumer: whether a batch is there.
  bool has_batch() const { return slots_[read_ % slots].tag.load(std::memory_order_acquire) != 0; }

  // Consumer: the next batch, or null. `spare` gives a batch to copy an inline one into, `at` tells where a handle's
  // batch is; `check` ends the job if it is told false, since what the producer has written is not trusted.
  template <class Spare, class At, class Check>
  batch* pop(Spare spare, At at, Check check) {
    slot& s = slots_[read_ % slots];
    const handle tag = s.tag.load(std::memory_order_acquire);
    if (tag == 0) return nullptr;
    sanitizer::acquired(&s);
    batch* b = nullptr;
    if (tag & 1) {
      check(tag >> 1 <= inline_bytes);
      b = spare();
      b->size = static_cast<std::uint32_t>(tag >> 1);
      std::memcpy(b->data(), s.bytes, inline_bytes);
    } else {
      b = at(tag);
    }
    sanitizer::releases(&s);
    s.tag.store(0, std::memory_order_release);
    ++read_;
    return b;
  }

  // Consumer: one more batch of this pair has been released. Producer: how many have been.
  void count_released() { released_.store(released_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  std::uint64_t released() const { return released_.load(std::memory_order_acquire); }

 private:
  struct alignas(64) slot {
    std::atomic<handle> tag{0};
    std::byte bytes[inline_bytes];
  };

  std::array<slot, slots> slots_;
  alignas(64) std::size_t write_ = 0;       // producer
  alignas(64) std::size_t read_ = 0;        // consumer
  std::atomic<std::uint64_t> released_{0};  // written by the consumer
};

}  // namespace tsubu::transport
