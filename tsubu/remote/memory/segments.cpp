#include "tsubu/remote/memory/segments.hpp"

#include <algorithm>

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"

namespace tsubu::remote {

namespace {

// Places of the first generations are told in half a word (close_address).
detail::job_names generations(1U << 8, 1U << 12);

}  // namespace

segment_table::segment_table() : first_generation_(generations.first()) {}

segment_table::~segment_table() {
  std::uint32_t most_used = 0;
  for (const segment& s : segments_) most_used = std::max(most_used, s.used);
  generations.used(first_generation_ + most_used);
  for (segment& s : segments_) {
    if ((s.in_use || s.pins != 0) && s.destroy != nullptr) s.destroy(s.base, s.bytes);
  }
}

segment_id segment_table::add(void* base, std::size_t bytes, void (*destroy)(void*, std::size_t)) {
  std::uint32_t index = 0;
  if (!free_.empty()) {
    index = free_.back();
    free_.pop_back();
  } else {
    index = static_cast<std::uint32_t>(segments_.size());
    require(index < (1U << index_bits), "a PE can share at most 2^20 pieces of memory at a time");
    segments_.emplace_back().generation = first_generation_;
  }
  segment& s = segments_[index];
  s.in_use = true;
  s.base = static_cast<std::byte*>(base);
  s.bytes = bytes;
  s.destroy = destroy;
  s.generation = (s.generation + 1) & 0xfffU;
  ++s.used;
  return index | (s.generation << index_bits);
}

const segment_table::segment& segment_table::checked(segment_id id, pe_id who) const {
  const std::uint32_t index = number(id);
  const std::uint32_t generation = id >> index_bits;
  require(index < segments_.size() && segments_[index].in_use && segments_[index].generation == generation,
          "PE {} names segment {}, generation {}, which is not here (freed, never shared, or of an earlier job)", who,
          index, generation);
  return segments_[index];
}

void segment_table::drop(segment_id id, pe_id who) {
  checked(id, who);
  segment& s = segments_[number(id)];
  s.in_use = false;
  if (s.pins == 0) end(number(id));
}

void segment_table::unpin(segment_id id) {
  segment& s = segments_[number(id)];
  if (--s.pins == 0 && !s.in_use) end(number(id));
}

void segment_table::end(std::uint32_t index) {
  free_.push_back(index);
  const segment ended = segments_[index];  // which destroy() may make room among
  if (ended.destroy != nullptr) ended.destroy(ended.base, ended.bytes);
}

std::byte* segment_table::at(segment_id id, std::uint64_t offset, std::uint64_t bytes, pe_id who) const {
  const segment& s = checked(id, who);
  require(bytes <= s.bytes && offset <= s.bytes - bytes, "PE {} names bytes {} to {} of a segment of {}", who, offset,
          offset + bytes, s.bytes);
  return s.base + offset;
}

}  // namespace tsubu::remote
