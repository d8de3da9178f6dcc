// An atomic operation on shared memory or on a stack, as it travels to where the bytes are.
#pragma once

#include <cstdint>

namespace tsubu::placed {

// On 1, 2, 4 or 8 bytes.
struct atomic_change {
  std::uint64_t operand;
  std::uint64_t expected;  // of a compare and exchange
  std::uint8_t bytes;
  std::uint8_t what;  // eulash_atomic_operation, or compare_exchange
  static constexpr std::uint8_t compare_exchange = 255;

  // Does it; gives the value before. Nobody else may be at it, or, with the second, others of this memory may be.
  std::uint64_t apply(void* at) const;
  std::uint64_t apply_at_once(void* at) const;
};

}  // namespace tsubu::placed
