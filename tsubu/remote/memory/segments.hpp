// Memory of one PE that others may name: segments.
//
// A global pointer travels as a segment's number and an offset, never as an address; both are checked
// where they land. A number is used again with another generation, so that a pointer to freed memory
// is found out (until 4,096 segments have come and gone in its place), and so is one of an earlier job of the process.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

// 20 bits of index, 12 of generation.
using segment_id = std::uint32_t;

class segment_table {
 public:
  segment_table();
  ~segment_table();

  // Lets others reach `bytes` bytes at `base`. `destroy`, if any, is called by drop() and at the end of the job.
  segment_id add(void* base, std::size_t bytes, void (*destroy)(void* base, std::size_t bytes) = nullptr);

  // Ends the job if it is not there; `who` asks. What is pinned is destroyed when the last pin is gone.
  void drop(segment_id id, pe_id who);

  // The bytes of a bulk go from there, or come there, from now until unpin(): messages that are executed meanwhile may
  // drop the segment. For a segment that is there.
  void pin(segment_id id) { ++segments_[number(id)].pins; }
  void unpin(segment_id id);

  // The address of bytes [offset, offset + bytes) of a segment. Ends the job if they are not all there.
  std::byte* at(segment_id id, std::uint64_t offset, std::uint64_t bytes, pe_id who) const;

  // All of a segment. Ends the job if it is not there.
  std::span<std::byte> whole(segment_id id, pe_id who) const {
    const segment& s = checked(id, who);
    return {s.base, s.bytes};
  }

  // Which of the segments it is, for messages.
  static std::uint32_t number(segment_id id) { return id & ((1U << index_bits) - 1); }

  // An address in a segment that a cache does not hold, to be fetched; null if there is none, or it is small.
  const void* prefetch_address(segment_id id, std::uint64_t offset) const {
    constexpr std::size_t cached = std::size_t{1} << 20;
    const std::uint32_t index = number(id);
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
    std::uint32_t pins = 0;
    std::uint32_t used = 0;  // how many segments have been in this place
    bool in_use = false;
  };
  static constexpr std::uint32_t index_bits = 20;

  const segment& checked(segment_id id, pe_id who) const;
  void end(std::uint32_t index);

  const std::uint32_t first_generation_;
  std::vector<segment> segments_;  // in use, or pinned, or in free_
  std::vector<std::uint32_t> free_;
};

// A place in another PE's memory in one word, where the offset is short, as most are.
struct near_address {
  std::uint64_t word;  // the segment above the offset
  static bool fits(std::uint64_t offset) { return offset >> 32 == 0; }
  static near_address of(segment_id id, std::uint64_t offset) { return {std::uint64_t{id} << 32 | offset}; }
  segment_id segment() const { return static_cast<segment_id>(word >> 32); }
  std::uint64_t offset() const { return word & 0xffffffff; }
};

// The place of a value of N bytes in half a word, as most have one: its segment is one of the first, the segment's
// place has been used for few, and the value stands among the first million that could stand there.
template <std::size_t N>
struct close_address {
  std::uint32_t word;  // 4 bits of a segment's index, 8 of its generation, 20 of the value's number
  static constexpr std::uint64_t unit = N % 8 == 0 ? 8 : (N % 4 == 0 ? 4 : 1);

  static bool fits(segment_id id, std::uint64_t offset) {
    return (id & 0xf00ffff0) == 0 && offset % unit == 0 && offset / unit < 1U << 20;
  }
  static close_address of(segment_id id, std::uint64_t offset) {
    const std::uint32_t generation = id >> 20;
    return {(id & 0xf) << 28 | generation << 20 | static_cast<std::uint32_t>(offset / unit)};
  }
  near_address near() const {
    const segment_id id = (word >> 28) | ((word >> 20) & 0xff) << 20;
    return near_address::of(id, std::uint64_t{word & 0xfffff} * unit);
  }
};

// at() for many near addresses of N bytes, most of them in the segment of the one before. No segment is added or
// dropped meanwhile.
template <std::size_t N>
class recent_segment {
 public:
  recent_segment(const segment_table& all, pe_id who) : all_(all), who_(who) {}

  const std::byte* at(near_address place) {
    // One comparison for the segment and for the offset.
    if (place.word - now_.begin >= now_.places) [[unlikely]]
      now_ = look(all_, place, who_);
    return now_.memory + (place.word - now_.begin);
  }

 private:
  struct found {
    const std::byte* memory = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t places = 0;  // where N bytes may begin
  };
  [[gnu::noinline]] static found look(const segment_table& all, near_address place, pe_id who) {
    const std::byte* const memory = all.at(place.segment(), place.offset(), N, who) - place.offset();
    return {memory, near_address::of(place.segment(), 0).word,
            std::min<std::uint64_t>(all.whole(place.segment(), who).size() - N + 1, std::uint64_t{1} << 32)};
  }

  const segment_table& all_;
  const pe_id who_;
  found now_;
};

}  // namespace tsubu::remote
