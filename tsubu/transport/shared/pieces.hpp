// How a bulk is cut when its bytes go through a ring.
//
// No window holds pieces back, so their number and size bound what they take of their sender's memory: they are short,
// whatever the size of a batch, and the more bulks a PE has in pieces, the fewer pieces of each are on the way.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tsubu/transport/shared/ring.hpp"

namespace tsubu::transport::pieces {

// As long as the longest usual batch: with pieces of 64 KiB, of which a ring holds 2 MiB, writes of 1 to 4 MiB between
// PEs that share cores took twice as long.
inline constexpr std::size_t most_bytes = std::size_t{256} << 10;

inline constexpr std::size_t fewest_of_a_bulk = 2;  // one for each side

// The most in the ring of one bulk, if so many bulks are in pieces.
inline constexpr std::size_t most_of_a_bulk(int bulks) {
  return std::max(ring::slots / static_cast<std::size_t>(bulks), fewest_of_a_bulk);
}

// About the most that a PE has on the way in a group of so many: those of one bulk, of two, of three, ...
inline constexpr std::size_t most_of_a_pe(std::size_t pes) { return 4 * ring::slots + fewest_of_a_bulk * pes; }

// The longest bulk that goes in pieces where the system copies, too: the sender must poll until the last piece has
// found room.
inline constexpr std::size_t longest_bulk(std::size_t batch_bytes) {
  return std::min(16 * batch_bytes, std::size_t{4} << 20);
}

}  // namespace tsubu::transport::pieces
