// Choosing without a branch, where nobody can guess what is chosen.
//
// A processor that guesses a branch wrong loses as much as thirty instructions take. Compilers make branches of ?: as
// they like; so they are kept from knowing the mask that chooses.
#pragma once

#include <cstdint>

namespace tsubu {

// All ones, or 0.
[[gnu::always_inline]] inline std::uint64_t ones_if(bool yes) {
  std::uint64_t mask = std::uint64_t{0} - std::uint64_t{yes};
  asm("" : "+r"(mask));  // NOLINT(hicpp-no-assembler): no instruction
  return mask;
}
// The first where the mask is ones, the second where it is 0.
template <class T>
[[gnu::always_inline]] inline T* choose(std::uint64_t mask, T* first, T* second) {
  const auto a = reinterpret_cast<std::uintptr_t>(first), b = reinterpret_cast<std::uintptr_t>(second);
  return reinterpret_cast<T*>(b ^ ((a ^ b) & mask));
}

}  // namespace tsubu
