// The memory that the PEs of a group share: what it is, and how a place in it is named.
//
// PEs of one process share its heap. PEs of several processes share a segment that each process maps wherever it can.
// A place is passed on as a *handle*: its distance from the beginning of the segment, or its address, if there is only
// one process. A handle that another process has written is not trusted: at() says whether it lies where that process
// may say so.
//
// A segment is reserved for the most that there could be, and takes memory only where it has been touched. So a ring
// of two PEs begins to exist when they first meet, and nothing has to be grown or mapped later.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::transport {

using handle = std::uintptr_t;  // 0: nothing

class shared_memory {
 public:
  static constexpr std::size_t line = 64;

  // The heap of this process, for so many PEs.
  explicit shared_memory(int pes) : own_(static_cast<std::size_t>(pes)) {}

  // A segment mapped at `base`, of which the first `front` bytes are everybody's; then each PE has `bytes_each`. All
  // multiples of `line`.
  shared_memory(int pes, std::byte* base, std::size_t front, std::size_t bytes_each)
      : base_(base), front_(front), bytes_each_(bytes_each), own_(static_cast<std::size_t>(pes)) {}

  ~shared_memory() {
    for (const account& a : own_) {
      for (void* memory : a.from_heap) ::operator delete(memory, std::align_val_t{line});
    }
  }
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  bool is_segment() const { return base_ != nullptr; }

  // Memory of a PE, aligned to a line; it stays until the group ends. By that PE only. Null when its part of a segment
  // is full; without a segment, throws std::bad_alloc.
  void* allocate(pe_id owner, std::size_t bytes) {
    account& a = own_[static_cast<std::size_t>(owner)];
    bytes = (bytes + line - 1) / line * line;
    if (!is_segment()) {
      void* memory = ::operator new(bytes, std::align_val_t{line});
      a.from_heap.push_back(memory);
      return memory;
    }
    if (bytes > bytes_each_ - a.used) return nullptr;
    void* memory = base_ + front_ + static_cast<std::size_t>(owner) * bytes_each_ + a.used;
    a.used += bytes;
    return memory;
  }

  // Whole pages of what `owner` has allocated of a segment, without the first `kept` bytes. No allocation goes on.
  std::span<std::byte> used_beyond(pe_id owner, std::size_t kept) const {
    constexpr std::size_t page = 4096;
    const std::size_t used = own_[static_cast<std::size_t>(owner)].used / page * page;
    if (!is_segment() || used <= kept) return {};
    return {base_ + front_ + static_cast<std::size_t>(owner) * bytes_each_ + kept, used - kept};
  }

  handle handle_of(const void* place) const {
    return reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(base_);
  }

  // The place of `bytes` bytes that `owner` has allocated; null if the handle says something else.
  void* at(handle h, pe_id owner, std::size_t bytes) const {
    if (is_segment()) {
      const std::size_t within = h - front_ - static_cast<std::size_t>(owner) * bytes_each_;
      if (within > bytes_each_ - bytes || h % line != 0) return nullptr;
    }
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(base_) + h);
  }

 private:
  struct alignas(128) account {
    std::size_t used = 0;          // of the PE's part of the segment
    std::vector<void*> from_heap;  // if there is no segment
  };

  // Constant after construction.
  std::byte* const base_ = nullptr;
  const std::size_t front_ = 0;
  const std::size_t bytes_each_ = 0;

  std::vector<account> own_;  // each touched by its PE only
};

}  // namespace tsubu::transport
