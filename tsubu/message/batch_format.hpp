// What a batch looks like, byte by byte. Nothing else knows it.
//
// A batch is a sequence of *runs* until its end: a header, and then the packets of one handler, one after the other,
// with no header of their own. Packets that travel over a grid of PEs have a *tag* in front, which names the PEs that
// the receiver cannot see from the batch. docs/message.md has the tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tsubu/base/types.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message::format {

struct run_header {
  std::uint32_t handler;  // its code, a tag_kind, and perhaps in_bulk
  std::uint32_t length;   // bytes(), and perhaps another_follows

  // How many the packets have that follow, their tags included.
  constexpr std::uint32_t bytes() const;
  // The batch ends with it.
  constexpr bool last() const;
};
static_assert(sizeof(run_header) == 8);

// The run is not the last of its batch: so a batch that was cut off between two runs is known.
inline constexpr std::uint32_t another_follows = std::uint32_t{1} << 31;
constexpr std::uint32_t run_header::bytes() const { return length & ~another_follows; }
constexpr bool run_header::last() const { return length < another_follows; }

// A run's bytes; 0 if they are not there of the `left` that are, or the batch does not end with the run that is marked
// as the last. In few instructions: to take the mark away from a run with no mark makes it longer than any batch.
constexpr std::uint32_t bytes_if_right(run_header header, std::size_t left) {
  if (header.length == left) return header.length;
  const std::uint32_t bytes = header.length - another_follows;
  return bytes < left ? bytes : 0;
}

// The run's one packet is in the bulk that came with the batch.
inline constexpr std::uint32_t in_bulk = std::uint32_t{1} << 31;

// What stands in front of each packet of a run. How a PE is named is in link_map.hpp.
enum tag_kind : std::uint32_t {
  straight = 0,                       // nothing: it is from the batch's PE, and for the one it comes to
  outward = std::uint32_t{1} << 29,   // the PE it is for: it is from the batch's PE
  passing = std::uint32_t{2} << 29,   // the PE it is from, and the PE it is for
  arriving = std::uint32_t{3} << 29,  // the PE it is from: it is for the PE it comes to
  // Where a coordinate names a PE there is no passing. Packets of a fixed size may have one tag for the whole run then:
  // a together_tag.
  together = passing,
};
inline constexpr std::uint32_t tag_bits = arriving;
inline constexpr std::uint32_t code_bits = ~(in_bulk | tag_bits);
static_assert(code_bits == (std::uint32_t{1} << wire::code_bits) - 1);

inline constexpr std::size_t most_tag_bytes = 2 * sizeof(pe_id);
// `name_bytes`: those that name one PE, all of a pe_id's where it is named by its number.
constexpr bool names_are_numbers(std::size_t name_bytes) { return name_bytes == sizeof(pe_id); }
constexpr std::size_t tag_bytes(std::uint32_t kind, std::size_t name_bytes) {
  if (kind == straight) return 0;
  if (kind == passing) return names_are_numbers(name_bytes) ? 2 * name_bytes : 0;
  return name_bytes;
}

// In front of a run of packets that are together: one of these, and the name of a PE.
enum class together_tag : std::uint8_t {
  all_for,   // all are for it, from the batch's PE
  all_from,  // all are from it, for the PE they come to
};
constexpr std::size_t front_bytes(std::uint32_t kind, std::size_t name_bytes) {
  return kind == together && !names_are_numbers(name_bytes) ? sizeof(together_tag) + name_bytes : 0;
}

// A batch has room for so many bytes at the least, and so for a packet of any handler whose packets are no longer than
// this.
inline constexpr std::size_t least_batch_bytes = 256;
inline constexpr std::size_t smallest_packet_limit = least_batch_bytes - sizeof(run_header) - most_tag_bytes;

// The longest packet that fits a batch, with a tag of any kind where packets are `tagged`.
constexpr std::size_t packet_limit(std::size_t batch_bytes, bool tagged) {
  return batch_bytes - sizeof(run_header) - (tagged ? most_tag_bytes : 0);
}

inline void write(std::byte* to, run_header header) { std::memcpy(to, &header, sizeof header); }
inline run_header read(const std::byte* from) {
  run_header header;
  std::memcpy(&header, from, sizeof header);
  return header;
}

// Calls f(header) for each run of a batch that this PE has filled.
template <class F>
void for_each_run(std::span<const std::byte> batch, F f) {
  while (!batch.empty()) {
    const run_header header = read(batch.data());
    f(header);
    batch = batch.subspan(sizeof header + header.bytes());
  }
}

}  // namespace tsubu::message::format
