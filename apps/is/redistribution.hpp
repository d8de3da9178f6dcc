// Bringing keys to the PEs that rank them.
//
//   block  a PE groups its keys by bucket; every other PE then reads, in one piece, what is meant for it
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
#include "tsubu/task/task.hpp"

namespace is {

class redistribution {
 public:
  virtual ~redistribution() = default;

  // keys: those of this PE; counts: how many of them are in each bucket; plan: who ranks what.
  // received: overwritten by the keys that this PE ranks, in any order. Collective.
  virtual tsubu::task<void> move(std::span<const npb::is_key> keys, std::span<const std::int32_t> counts,
                                 const npb::is_plan& plan, std::vector<npb::is_key>& received) = 0;
};

// Collective. keys: how many this PE has.
tsubu::task<std::unique_ptr<redistribution>> make_block_redistribution(const npb::is_class& problem, std::size_t keys);

// Local.
std::unique_ptr<redistribution> make_key_redistribution(const npb::is_class& problem);

}  // namespace is
