// Where the shared memory of a placed program is: which process is the home of an address, and whose a stack is.
//
// An address is told by its offset from where the memory begins. Half of it belongs to process 0, where a program
// starts and allocates most; the others share the rest. Each process has a view of all of it, and behind the view,
// downwards, a byte for each line (memory.h).
//
// Where the processes are threads that use one memory, there are no views: data and stacks lie where these would be,
// mapped, at addresses that memory.h takes for private memory, and so for what can be accessed as it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsubu/base/types.hpp"
#include "tsubu/eulash/memory.h"

namespace tsubu::placed {

struct range {
  std::uint64_t begin;
  std::uint64_t bytes;

  std::uint64_t end() const { return begin + bytes; }
};

class layout {
 public:
  // From EULASH_BASE on, of all of it.
  static const std::uint64_t addresses;

  explicit layout(pe_id processes, bool one_memory = false);

  bool one_memory() const { return one_memory_; }
  // Whether it is of the program's data, allocated or not; of its threads' stacks.
  bool holds(std::uint64_t address) const { return address - base_ < EULASH_RANGE; }
  bool holds_stack(std::uint64_t address) const { return address - stacks_ < EULASH_RANGE; }
  std::uint64_t address_of(std::uint64_t offset) const { return base_ + offset; }
  std::uint64_t offset_of(std::uint64_t address) const { return address - base_; }

  // Offsets below it are shared memory.
  std::uint64_t span() const { return span_; }
  pe_id home_of(std::uint64_t offset) const {
    return offset < span_ / 2 ? 0 : 1 + static_cast<pe_id>((offset - span_ / 2) >> part_shift_);
  }
  // The offsets whose home is this process.
  range part_of(pe_id process) const;

  // Addresses.
  range view_of(pe_id process) const;  // of its data; below these, their states; not of one memory
  range stacks_of(pe_id process) const;
  pe_id owner_of_stack(std::uint64_t address) const { return static_cast<pe_id>((address - stacks_) >> stack_shift_); }
  std::uint64_t state_bytes() const { return span_ / EULASH_LINE; }

 private:
  bool one_memory_;
  std::uint64_t base_, stacks_;
  std::uint64_t span_;
  int part_shift_;
  int stack_shift_;
};

// Whether it is of what lies in views only, or of stacks that only their processes use as they are: nothing has such
// addresses where memory is one.
inline bool is_shared(std::uint64_t address) { return address - EULASH_BASE < EULASH_RANGE; }
inline bool is_stack(std::uint64_t address) { return address - EULASH_STACKS < EULASH_RANGE; }

}  // namespace tsubu::placed
