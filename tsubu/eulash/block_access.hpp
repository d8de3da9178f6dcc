// Accesses to blocks of shared memory by the data layer: what is done where a block's value is.
#pragma once

#include <cstdint>
#include <string>

#include "tsubu/data/variables/shared.hpp"
#include "tsubu/eulash/atomic_change.hpp"
#include "tsubu/eulash/block.hpp"

namespace tsubu::placed {

struct loading {
  static constexpr bool writes = false;
  static std::string run(const block& from, std::uint32_t at, std::uint32_t n);
};
struct storing {
  static constexpr bool writes = true;
  static void run(block& to, std::uint32_t at, const std::string& bytes);
};

struct changing_atomically {
  static constexpr bool writes = true;
  static std::uint64_t run(block& of, std::uint32_t at, const atomic_change& change);
};

using place_of_block = data::variable_place<block>;
using load_access = data::access<block, place_of_block, loading, std::uint32_t, std::uint32_t>;
using store_access = data::access<block, place_of_block, storing, std::uint32_t, std::string>;
using atomic_access = data::access<block, place_of_block, changing_atomically, std::uint32_t, atomic_change>;

// Whether the data layer lets this process read, or write, it without asking.
bool can_read(data::key of);
bool can_write(data::key of);

}  // namespace tsubu::placed
