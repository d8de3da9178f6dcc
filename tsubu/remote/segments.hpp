// Memory of one PE that others may name: segments.
//
// A global pointer travels as a segment's number and an offset, never as an address; both are checked
// where they land. A number is used again with another generation, so that a pointer to freed memory
// is found out (until 4,096 segments have come and gone in its place).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

// 20 bits of index, 12 of generation.
using segment_id = std::uint32_t;

class segment_table {
 public:
  ~segment_table();

  // Lets others reach `bytes` bytes at `base`. `destroy`, if any, is called by drop() and at the end of the job.
  segment_id add(void* base, std::size_t bytes, void (*destroy)(void* base, std::size_t bytes) = nullptr);

  // Ends the job if it is not there; `who` asks.
  void drop(segment_id id, pe_id who);

  // The address of bytes [offset, offset + bytes) of a segment. Ends the job if they are not all there.
  std::byte* at(segment_id id, std::uint64_t offset, std::uint64_t bytes, pe_id who) const;

  // An address in a segment that a cache does not hold, to be fetched; null if there is none, or it is small.
  const void* hint(segment_id id, std::uint64_t offset) const {
    constexpr std::size_t cached = std::size_t{1} << 20;
    const std::uint32_t index = id & ((1U << index_bits) - 1);
    if (index >= segments_.size() || segments_[index].bytes < cached || offset >= segments_[index].bytes)
      return nullptr;
    return static_cast<const std::byte*>(segments_[index].base) + offset;
  }

 private:
  struct segment {
    std::byte* base = nullptr;
    std::size_t bytes = 0;
    void (*destroy)(void*, std::size_t) = nullptr;
    std::uint32_t generation = 0;
    bool in_use = false;
  };
  static constexpr std::uint32_t index_bits = 20;

  const segment& checked(segment_id id, pe_id who) const;

  std::vector<segment> segments_;
  std::vector<std::uint32_t> free_;
};

}  // namespace tsubu::remote
