// Words and packets of the machine.
//
// A word has 64 bits: a number, the name of something in the memory of a node, or a text or array of the node's heap. A
// name can be sent; it is
//
//   node + 1 (18 bits)   future (1)   generation (13)   address (32)
//
// An object's generation is 0. A box has one of its own for each time that it is used, so that a reply which comes late
// is noticed. No name is 0: that is nil.
#pragma once

#include <cstdint>

#include "abcl/code/code.hpp"

namespace abcl::machine {

using word = std::uint64_t;

inline constexpr int generation_bits = 13;
inline constexpr word most_generation = (word{1} << generation_bits) - 1;
inline constexpr word future_bit = word{1} << 45;

constexpr word name_of(int node, std::uint32_t address, word generation = 0) {
  return static_cast<word>(node + 1) << 46 | generation << 32 | address;
}
constexpr int node_of(word name) { return static_cast<int>(name >> 46) - 1; }
constexpr std::uint32_t address_of(word name) { return static_cast<std::uint32_t>(name); }
constexpr word generation_of(word name) { return name >> 32 & most_generation; }

// A message: its type and its kind (code::selector_info), and its box in the memory of the node where it is.
inline constexpr word early_bit = word{1} << 62;
inline constexpr word kinds = code::most_selectors;
constexpr word message_of(std::uint32_t box, word selector, word kind) { return (selector * kinds + kind) << 32 | box; }
constexpr word selector_of(word message) { return (message >> 32) / kinds % kinds; }
constexpr word kind_of(word message) { return (message >> 32) % kinds; }
// A box, and the future whose value is in it.
constexpr word pair_of(std::uint32_t box, word future) { return future << 32 | box; }
constexpr word future_of(word pair) { return pair >> 32; }

// Two words, as on EM-4: where it goes, and a datum. What else is here the network does not see.
struct packet {
  enum class kind : std::uint8_t { to_object, to_node, write };
  word address = 0;  // of to_object the object's name, of write that of the box or object
  word datum = 0;
  std::uint32_t number = 0;  // the entry; the handler, with its number; which word is written
  std::uint32_t site = 0;    // where in the program it was sent
  kind what = kind::to_object;
  std::uint32_t mark = 0;  // of a message or a reply: by which recorders know it
};

}  // namespace abcl::machine
