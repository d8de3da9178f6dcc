// Bringing keys to the PEs that rank them.
//
//   block  a PE groups its keys by bucket; then they are exchanged by an all_to_all, or, where there are many for each
//          PE, every other PE reads, in one piece, what is meant for it, and a PE's own stays where it is
//   key    a message for each key, straight from the unsorted sequence
//
// Neither acknowledges anything or keeps a buffer twice: between two calls of move(), after it has used what it
// received, every PE takes part in an all_reduce (of the bucket sizes), from which no PE returns before all have called
// it. So nobody still reads or fills what the next call overwrites.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "apps/npb/is.hpp"
#include "tsubu/base/large_pages.hpp"
#include "tsubu/task/task.hpp"

namespace is {

// Keys and counts are reached at random.
using key_table = std::vector<npb::is_key, tsubu::large_pages<npb::is_key>>;
using count_table = std::vector<std::int32_t, tsubu::large_pages<std::int32_t>>;
// The keys that a PE ranks, wherever they lie, until the next move().
using key_pieces = std::vector<std::span<const npb::is_key>>;

class redistribution {
 public:
  virtual ~redistribution() = default;

  // keys: those of this PE; counts: how many of them are in each bucket; plan: who ranks what.
  // Gives the keys that this PE ranks, in any order. Collective.
  virtual tsubu::task<key_pieces> move(std::span<const npb::is_key> keys, std::span<const std::int32_t> counts,
                                       const npb::is_plan& plan) = 0;
};

// Collective. keys: how many this PE has.
tsubu::task<std::unique_ptr<redistribution>> make_block_redistribution(const npb::is_class& problem, std::size_t keys);

// Local.
std::unique_ptr<redistribution> make_key_redistribution(const npb::is_class& problem);

}  // namespace is
